// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class MessageTest : public NcclTest {
protected:
    void expect_signal(std::size_t at, int count, int peer, int index, int context) {
        const nccl::ncclWaitSignalDesc_t& signal = latest().signals.at(at);
        EXPECT_EQ(signal.opCnt, count);
        EXPECT_EQ(signal.peer, peer);
        EXPECT_EQ(signal.sigIdx, index);
        EXPECT_EQ(signal.ctx, context);
        EXPECT_EQ(latest().stream, stream_.native_handle());
    }

    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
    nccl::NcclMemoryResource memory_{Device(2)};
    TypedBuffer<float> data_ = memory_.allocate<float>(stream_, 1000);
    nccl::Window window_{communicator_, data_};
};

TEST_F(MessageTest, PutsAndSignals) {
    communicator_.put_signal(stream_, data_.first(10), 3, window_, 400, {.index = 1, .context = 2});
    EXPECT_EQ(latest().function, "ncclPutSignal");
    EXPECT_EQ(latest().source, reinterpret_cast<void*>(data_.native_handle()));
    EXPECT_EQ(latest().count, 10u);
    EXPECT_EQ(latest().type, nccl::ncclFloat32);
    EXPECT_EQ(latest().window, window_.native_handle());
    EXPECT_EQ(latest().offset, 400u);
    expect_signal(0, 1, 3, 1, 2);
    communicator_.put_signal(stream_, data_, 0, window_);
    expect_signal(0, 1, 0, 0, 0);
    communicator_.signal(stream_, 1, {.index = 4});
    EXPECT_EQ(latest().function, "ncclSignal");
    expect_signal(0, 1, 1, 4, 0);
}

TEST_F(MessageTest, WaitsForSignals) {
    communicator_.wait_signal(stream_, {.peer = 3});
    EXPECT_EQ(latest().function, "ncclWaitSignal");
    expect_signal(0, 1, 3, 0, 0);
    const std::vector<nccl::SignalWait> waits = {{.peer = 0, .count = 5}, {.peer = 1, .signal = {.index = 2, .context = 3}}};
    communicator_.wait_signal(stream_, waits);
    ASSERT_EQ(latest().signals.size(), 2u);
    expect_signal(0, 5, 0, 0, 0);
    expect_signal(1, 1, 1, 2, 3);
}

TEST_F(MessageTest, RejectsWhatIsOutsideOfAWindow) {
    const auto rejected = [&](auto call) { return message_of<std::invalid_argument>(call); };
    EXPECT_EQ(window_.size(), 4000u);
    EXPECT_THAT(rejected([&] { communicator_.put_signal(stream_, data_, 3, window_, 4); }),
                AllOf(HasSubstr("4000 bytes"), HasSubstr("byte 4 "), HasSubstr("window of 4000")));
    EXPECT_THAT(rejected([&] { communicator_.put_signal(stream_, data_.first(1), 3, window_, std::size_t(-2)); }),
                HasSubstr("window of 4000"));
    nccl::Communicator other = communicator();
    EXPECT_THAT(rejected([&] { other.put_signal(stream_, data_, 3, window_); }), HasSubstr("another communicator"));
    EXPECT_THAT(rejected([&] { communicator_.put_signal(stream_, data_, 4, window_); }), HasSubstr("0 to 3"));
    EXPECT_THAT(rejected([&] { communicator_.signal(stream_, -1); }), HasSubstr("0 to 3"));
    EXPECT_THAT(rejected([&] { communicator_.wait_signal(stream_, {.peer = 4}); }), HasSubstr("0 to 3"));
    EXPECT_THAT(rejected([&] { communicator_.wait_signal(stream_, {.peer = 1, .count = 0}); }), HasSubstr("count is 0"));
    EXPECT_THAT(rejected([&] { communicator_.wait_signal(stream_, std::vector<nccl::SignalWait>()); }), HasSubstr("no rank"));
    window_.close();
    EXPECT_THAT(rejected([&] { communicator_.put_signal(stream_, data_, 3, window_); }), HasSubstr("closed"));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(MessageTest, StatesTheReleaseThatAnOlderLibraryLacks) {
    stand_in().missing = {"ncclPutSignal", "ncclAllReduceConfig"};
    EXPECT_THAT(message_of<nccl::CommunicationError>([&] { communicator_.put_signal(stream_, data_, 3, window_); }),
                AllOf(HasSubstr("ncclPutSignal"), HasSubstr("2.29.7")));
    EXPECT_THAT(
        message_of<nccl::CommunicationError>([&] { communicator_.all_reduce(stream_, data_, nccl::sum, {.max_ctas = 1}); }),
        AllOf(HasSubstr("ncclAllReduceConfig"), HasSubstr("2.32.3")));
}

}  // namespace
}  // namespace cubind::testing
