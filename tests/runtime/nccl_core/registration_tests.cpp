// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class RegistrationTest : public NcclTest {
protected:
    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
    nccl::NcclMemoryResource memory_{Device(2)};
};

TEST_F(RegistrationTest, AllocatesMemoryForBuffers) {
    EXPECT_EQ(memory_.device(), Device(2));
    EXPECT_TRUE(memory_.is_device_accessible());
    EXPECT_FALSE(memory_.is_host_accessible());
    {
        const auto data = memory_.allocate<float>(stream_, 1000);
        EXPECT_EQ(stand_in().allocated, 1);
        EXPECT_EQ(data.bytes().device(), Device(2));
    }
    EXPECT_EQ(stand_in().allocated, 0);
    EXPECT_THROW(static_cast<void>(memory_.allocate(stream_, 16, std::size_t{1} << 31)), std::invalid_argument);
    EXPECT_EQ(stand_in().allocated, 0);
}

TEST_F(RegistrationTest, RegistersABuffer) {
    auto data = memory_.allocate<float>(stream_, 1000);
    nccl::RegisteredBuffer registered(communicator_, data);
    EXPECT_EQ(stand_in().count("ncclCommRegister 4000"), 1);
    EXPECT_EQ(registered.native_handle(), reinterpret_cast<void*>(data.native_handle()));
    nccl::RegisteredBuffer moved = std::move(registered);
    EXPECT_THROW(static_cast<void>(registered.native_handle()), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
    registered = std::move(moved);
    registered.close();
    registered.close();
    EXPECT_EQ(stand_in().count("ncclCommDeregister"), 1);
    EXPECT_THROW((void)nccl::RegisteredBuffer(communicator_, data.first(0)), std::invalid_argument);
}

TEST_F(RegistrationTest, RegistersAWindow) {
    auto data = memory_.allocate<float>(stream_, 1000);
    {
        const nccl::Window window(communicator_, data, nccl::NCCL_WIN_COLL_SYMMETRIC);
        EXPECT_EQ(stand_in().count("ncclCommWindowRegister 4000 1"), 1);
        EXPECT_NE(window.native_handle(), nullptr);
    }
    EXPECT_EQ(stand_in().count("ncclCommWindowDeregister"), 1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)nccl::Window(communicator_, data.subspan(1)); }),
                HasSubstr("4096"));
}

TEST_F(RegistrationTest, DoesNothingAfterTheCommunicatorHasEnded) {
    auto data = memory_.allocate<float>(stream_, 1000);
    const nccl::RegisteredBuffer registered(communicator_, data);
    nccl::Window window(communicator_, data);
    const auto scaled = nccl::ReductionOperator::premultiplied_sum(communicator_, 2.0f);
    communicator_.close();
    window.close();
    EXPECT_EQ(stand_in().count("ncclCommWindowDeregister"), 0);
    stand_in().registered = stand_in().operators = 0;  // NCCL has released them with the communicator
}

}  // namespace
}  // namespace cubind::testing
