// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

class GroupTest : public NcclTest {
protected:
    static std::span<float> data() { return {reinterpret_cast<float*>(0x1000), 4}; }

    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
};

TEST_F(GroupTest, EndsOnce) {
    {
        nccl::Group group;
        nccl::Group nested;
        communicator_.send(stream_, data(), 1);
        nested.end();
        EXPECT_EQ(stand_in().depth, 1);
        group.end();
        group.end();
    }
    EXPECT_EQ(stand_in().count("ncclGroupEnd"), 2);
    { const nccl::Group group; }
    EXPECT_EQ(stand_in().count("ncclGroupEnd"), 3);
}

TEST_F(GroupTest, IsDiscardedWhileAnExceptionPasses) {
    EXPECT_THROW(
        {
            const nccl::Group group;
            communicator_.send(stream_, data(), 1);
            communicator_.receive(stream_, data(), 4);  // no such rank
        },
        std::invalid_argument);
    FailedCalls::get().forget();  // the call that discards the group
    EXPECT_EQ(stand_in().count("ncclGroupEnd, failed"), 1);
    EXPECT_EQ(stand_in().depth, 0);
    nccl::Group group;  // works again
    communicator_.send(stream_, data(), 1);
    group.end();
    EXPECT_EQ(stand_in().count("ncclGroupEnd"), 1);
}

TEST_F(GroupTest, ThrowsAndReportsFailures) {
    stand_in().has_failed_call = true;
    try {
        nccl::Group group;
        group.end();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const nccl::CommunicationError& error) {
        EXPECT_EQ(error.function(), "ncclGroupEnd");
        EXPECT_EQ(error.rank(), -1);
    }
    stand_in().has_failed_call = true;
    { const nccl::Group group; }
    EXPECT_THAT(taken_cleanup_messages(), ::testing::ElementsAre(::testing::HasSubstr("ncclInvalidArgument")));
}

}  // namespace
}  // namespace cubind::testing
