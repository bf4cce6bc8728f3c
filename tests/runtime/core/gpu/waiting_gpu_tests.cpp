// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Notifications of the driver on a GPU. Each test must run in its own process, because a failed kernel ends the context for good.

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <stop_token>
#include <system_error>

#include "gate.hpp"
#include "observed.hpp"
#include "task.hpp"

namespace cubind::testing {
namespace {

constexpr std::chrono::seconds limit{10};

constexpr const char* failing_ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry fail() { trap; ret; }
)";

class WaitingGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        // Loading code waits for all work, also for a stream that the test blocks.
        ASSERT_EQ(setenv("CUDA_MODULE_LOADING", "EAGER", 1), 0);
        try {
            (void)Device();
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        stream.emplace(Device());
        kernel = ObjectCode::from_bytes(CodeType::ptx, failing_ptx).kernel("fail");
        set_cleanup_handler(nullptr);  // after a failed kernel, nothing can be destroyed
    }
    void fail() const { launch(*stream, {.grid = 1, .block = 1}, *kernel); }

    std::optional<Stream> stream;
    std::optional<Kernel> kernel;
    ThreadPool threads{2};
};

template <class Source>
Task wait_for(Source source, ThreadPool& executor, std::stop_token stop = {}) {
    co_await completion(source, executor, stop);
}

TEST_F(WaitingGpuTest, ResumesCoroutinesAtTheEndOfTheWork) {
    Buffer buffer = Device().allocate(*stream, 1 << 20);
    for (int round = 0; round < 100; ++round) {
        fill(*stream, buffer, round);
        const Event event = stream->record();
        const Task of_stream = wait_for(StreamRef(*stream), threads);
        const Task of_event = wait_for(EventRef(event), threads);
        ASSERT_TRUE(eventually([&] { return of_stream.is_done() && of_event.is_done(); }));
        of_stream.get();
        of_event.get();
    }
}

TEST_F(WaitingGpuTest, CompletesAnEventWhileAnotherStreamIsBusy) {
    Gate gate(*stream);
    const Stream other{Device()};
    const Event event = other.record();
    const Task task = wait_for(EventRef(event), threads);
    EXPECT_TRUE(eventually([&] { return task.is_done(); }));
    gate.open();
}

TEST_F(WaitingGpuTest, CancelsAWait) {
    Gate gate(*stream);
    std::stop_source source;
    const Task task = wait_for(StreamRef(*stream), threads, source.get_token());
    source.request_stop();
    ASSERT_TRUE(eventually([&] { return task.is_done(); }));
    EXPECT_THROW(task.get(), std::system_error);
}

TEST_F(WaitingGpuTest, EndsAWaitForAStreamWhoseKernelFails) {
    fail();
    try {
        const Task task = wait_for(StreamRef(*stream), threads);
        ASSERT_TRUE(eventually([&] { return task.is_done(); }, limit)) << "the driver has not called the callback";
        EXPECT_THROW(task.get(), Error);
    } catch (const Error&) {
        // The kernel had failed before the wait began.
    }
}

TEST_F(WaitingGpuTest, EndsAWaitThatBeganBeforeTheKernelFailed) {
    Gate gate;
    stream->launch_host_function(gate.blocker());
    fail();
    const Event event = stream->record();
    const Task of_stream = wait_for(StreamRef(*stream), threads);
    const Task of_event = wait_for(EventRef(event), threads);
    std::future<int> task = launch_host_task(*stream, [] { return 1; });
    gate.open();
    ASSERT_TRUE(eventually([&] { return of_stream.is_done() && of_event.is_done(); }, limit));
    EXPECT_THROW(of_stream.get(), Error);
    EXPECT_THROW(of_event.get(), Error);
    ASSERT_EQ(task.wait_for(limit), std::future_status::ready);
    EXPECT_THROW((void)task.get(), Error);
}

}  // namespace
}  // namespace cubind::testing
