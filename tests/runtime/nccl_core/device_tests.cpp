// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Streams and memory of other devices than the communicator's.
class CommunicatorDeviceTest : public NcclTest {
protected:
    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
    TypedBuffer<float> data_ = Device(2).allocate<float>(stream_, 16);
    Stream other_stream_{Device(1)};
    TypedBuffer<float> other_data_ = Device(1).allocate<float>(other_stream_, 16);
};

TEST_F(CommunicatorDeviceTest, RejectsStreamsOfAnotherDevice) {
    const auto names_both = AllOf(HasSubstr("stream is of device 1"), HasSubstr("communicator is of device 2"));
    const auto rejected = [&](auto call) { EXPECT_THAT(message_of<std::invalid_argument>(call), names_both); };
    rejected([&] { communicator_.all_reduce(other_stream_, data_); });
    rejected([&] { communicator_.broadcast(other_stream_, data_, 0); });
    rejected([&] { communicator_.send(other_stream_, data_, 0); });
    rejected([&] { communicator_.receive(other_stream_, data_, 0); });
    rejected([&] { communicator_.wait_signal(other_stream_, {.peer = 1}); });
    const Context context{Device(1)};
    const Stream own_context(context);
    rejected([&] { communicator_.all_reduce(own_context, data_); });
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(CommunicatorDeviceTest, AcceptsStreamsOfOtherContextsAndOtherCode) {
    const Context context{Device(2)};
    const Stream own_context(context);
    communicator_.all_reduce(own_context, data_);
    communicator_.all_reduce(StreamRef(static_cast<StreamRef::Handle>(other_stream_.native_handle())),
                             data_);  // asking for its device would cost a call
    communicator_.all_reduce(StreamRef::legacy_default(), data_);
    EXPECT_EQ(stand_in().calls.size(), 3u);
}

TEST_F(CommunicatorDeviceTest, RejectsBuffersOfAnotherDevice) {
    const auto names_both = AllOf(HasSubstr("memory is of device 1"), HasSubstr("communicator is of device 2"));
    const auto rejected = [&](auto call) { EXPECT_THAT(message_of<std::invalid_argument>(call), names_both); };
    rejected([&] { communicator_.all_reduce(stream_, other_data_); });
    rejected([&] { communicator_.all_reduce(stream_, data_, other_data_); });
    rejected([&] { communicator_.gather(stream_, data_, other_data_, communicator_.rank()); });
    rejected([&] { communicator_.send(stream_, other_data_, 0); });
    rejected([&] { (void)nccl::RegisteredBuffer(communicator_, other_data_); });
    rejected([&] { static_cast<void>(nccl::ReductionOperator::premultiplied_sum(communicator_, other_data_)); });
    EXPECT_TRUE(stand_in().calls.empty());
    const auto pinned = LegacyPinnedMemoryResource().allocate<float>(stream_, 16);
    communicator_.all_reduce(stream_, pinned, data_);          // the memory of the host has no device
    communicator_.all_reduce(stream_, other_data_.first(16));  // nor does a span
    const int root = (communicator_.rank() + 1) % communicator_.size();
    communicator_.reduce(stream_, data_, other_data_, root);  // only the root uses it
    communicator_.gather(stream_, data_, other_data_, root);
    communicator_.scatter(stream_, other_data_, data_.first(4), root);
    EXPECT_EQ(stand_in().calls.size(), 5u);
}

TEST_F(CommunicatorDeviceTest, MakesNoCallOfTheDriver) {
    communicator_.all_reduce(stream_, data_);
    const std::size_t calls = layers::faults::fail_each_call([&] { communicator_.all_reduce(stream_, data_); });
    EXPECT_EQ(calls, 1u);  // ncclAllReduce
    FailedCalls::get().forget();
}

}  // namespace
}  // namespace cubind::testing
