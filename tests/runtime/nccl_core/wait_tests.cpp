// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "nccl_test.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CommunicatorWaitTest : public NcclTest {
protected:
    /// Makes the stream busy until open() is called.
    void block() {
        stream_.launch_host_function([this] { eventually([this] { return is_open_.load(); }); });
    }
    void open() { is_open_ = true; }
    static std::span<float> data() { return {reinterpret_cast<float*>(0x1000), 4}; }

    std::atomic<bool> is_open_ = false;
    nccl::Communicator communicator_ = communicator();
    Stream stream_{Device(2)};
};

TEST_F(CommunicatorWaitTest, EndsWithTheWork) {
    communicator_.wait(stream_, 0ms);
    block();
    std::thread opener([this] {
        std::this_thread::sleep_for(20ms);
        open();
    });
    communicator_.wait(stream_, 60s);
    EXPECT_TRUE(stream_.is_done());
    opener.join();
    communicator_.wait(stream_, std::chrono::milliseconds::max());  // no overflow
    EXPECT_FALSE(communicator_.is_closed());
}

TEST_F(CommunicatorWaitTest, AbortsAfterTheTimeout) {
    for (const auto timeout : {0ms, 30ms}) {
        communicator_ = communicator();
        communicator_.all_reduce(stream_, data());
        is_open_ = false;
        block();
        const auto begin = std::chrono::steady_clock::now();
        try {
            communicator_.wait(stream_, timeout);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const nccl::CommunicationError& error) {
            EXPECT_GE(std::chrono::steady_clock::now() - begin, timeout);
            EXPECT_EQ(error.code(), nccl::ncclTimeout);
            EXPECT_EQ(error.operation(), "all_reduce");
            EXPECT_EQ(error.rank(), 2);
            EXPECT_THAT(error.what(), AllOf(HasSubstr(std::to_string(timeout.count()) + " ms"), HasSubstr("all_reduce of rank 2"),
                                            HasSubstr("the text of the stand-in")));
        }
        EXPECT_TRUE(communicator_.is_closed());
        EXPECT_EQ(stand_in().living, 0);
        open();
        stream_.synchronize();
    }
    EXPECT_EQ(stand_in().count("ncclCommAbort"), 2);
    EXPECT_EQ(stand_in().count("ncclCommDestroy"), 1);  // that of the fixture
}

TEST_F(CommunicatorWaitTest, AbortsAfterAnAsynchronousError) {
    block();
    stand_in().asynchronous = nccl::ncclRemoteError;
    communicator_.broadcast(stream_, data(), 1);
    EXPECT_THAT(message_of<nccl::CommunicationError>([&] { communicator_.wait(stream_, 60s); }),
                AllOf(HasSubstr("ncclRemoteError"), HasSubstr("broadcast of rank 2"), HasSubstr("create a new one")));
    EXPECT_TRUE(communicator_.is_closed());
    stand_in().asynchronous = nccl::ncclSuccess;
    open();
    communicator_ = communicator();  // can be built again
    communicator_.wait(stream_, 60s);
}

TEST_F(CommunicatorWaitTest, WaitsUntilTheCommunicatorIsReady) {
    stand_in().status = stand_in().asynchronous = nccl::ncclInProgress;
    communicator_ = communicator({.blocking = false});
    FailedCalls::get().forget();  // ncclInProgress is no failure
    EXPECT_THROW(communicator_.wait_until_ready(10ms), nccl::CommunicationError);
    EXPECT_TRUE(communicator_.is_closed());
    communicator_ = communicator({.blocking = false});
    communicator_.all_reduce(stream_, data());
    FailedCalls::get().forget();
    stand_in().status = stand_in().asynchronous = nccl::ncclSuccess;
    communicator_.wait_until_ready(10ms);
    EXPECT_EQ(communicator_.rank(), 2);
}

TEST_F(CommunicatorWaitTest, LearnsTheRankOfASplitThatWasNotReady) {
    stand_in().asynchronous = nccl::ncclInProgress;
    nccl::Communicator part = communicator_.split(1, 5);
    stand_in().asynchronous = nccl::ncclSuccess;
    part.wait_until_ready(10ms);
    EXPECT_EQ(part.rank(), 5);
    EXPECT_EQ(part.size(), 7);
}

TEST_F(CommunicatorWaitTest, RejectsWhatCannotBeWaitedFor) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { communicator_.wait(stream_, -1ms); }), HasSubstr("-1 ms"));
    EXPECT_THROW(communicator_.wait_until_ready(-1ms), std::invalid_argument);
    GraphBuilder builder = GraphBuilder(Device(2));
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { communicator_.wait(builder, 1s); }), HasSubstr("capturing"));
    builder.end_building();
    EXPECT_FALSE(communicator_.is_closed());
    communicator_.close();
    EXPECT_THROW(communicator_.wait(stream_, 1s), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
