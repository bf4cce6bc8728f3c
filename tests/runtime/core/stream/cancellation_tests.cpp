// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/thread_pool.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "completion_test.hpp"

namespace cubind::testing {
namespace {

class CancellationTest : public CompletionTest {
protected:
    Stream stream{Device()};
};

TEST_F(CancellationTest, ThrowsAtOnceIfAStopWasRequestedBefore) {
    std::stop_source source;
    source.request_stop();
    const Task task = wait_for(StreamRef(stream), loop, source.get_token());
    EXPECT_TRUE(task.is_done());
    EXPECT_TRUE(is_cancelled([&] { task.get(); }));
}

TEST_F(CancellationTest, EndsTheWaitAndNotTheWork) {
    Gate gate(stream);
    std::stop_source source;
    std::thread::id continued_by;
    const Task task = wait_for(StreamRef(stream), loop, source.get_token(), &continued_by);
    source.request_stop();
    EXPECT_FALSE(task.is_done()) << "the executor must resume the coroutine";
    EXPECT_TRUE(is_cancelled([&] { finish(task, loop); }));
    EXPECT_EQ(continued_by, std::thread::id());
    EXPECT_FALSE(stream.is_done());
    gate.open();
    stream.synchronize();
    EXPECT_EQ(loop.run_ready(), 0u) << "the notification of the driver has no effect any more";
}

TEST_F(CancellationTest, EndsTheWaitForAnEvent) {
    Gate gate(stream);
    const Event event = stream.record();
    std::stop_source source;
    const Task task = wait_for(EventRef(event), loop, source.get_token());
    source.request_stop();
    EXPECT_TRUE(is_cancelled([&] { finish(task, loop); }));
}

TEST_F(CancellationTest, HasNoEffectAfterTheEndOfTheWork) {
    std::stop_source source;
    const Task task = wait_for(StreamRef(stream), loop, source.get_token());
    stream.synchronize();
    source.request_stop();
    EXPECT_NO_THROW(finish(task, loop));
}

TEST_F(CancellationTest, LeavesTheExecutorAloneAfterwards) {
    Gate gate(stream);
    std::stop_source source;
    {
        RunLoop shorter;
        const Task task = wait_for(StreamRef(stream), shorter, source.get_token());
        source.request_stop();
        EXPECT_TRUE(is_cancelled([&] { finish(task, shorter); }));
    }
    gate.open();
    stream.synchronize();  // the notification arrives after the end of its executor
}

TEST_F(CancellationTest, RacesWithTheEndOfTheWork) {
    ThreadPool threads(2);
    int cancelled = 0;
    for (int round = 0; round < 300; ++round) {
        std::stop_source source;
        Gate gate;
        stream.launch_host_function(gate.blocker());
        const Task task = wait_for(StreamRef(stream), threads, source.get_token());
        std::jthread stopping([&] { source.request_stop(); });
        gate.open();
        ASSERT_TRUE(eventually([&] { return task.is_done(); }));
        cancelled += is_cancelled([&] { task.get(); }) ? 1 : 0;
    }
    EXPECT_LE(cancelled, 300);
    stream.synchronize();
}

TEST_F(CancellationTest, ASuspendedCoroutineCanBeDestroyed) {
    const auto held = std::make_shared<int>(1);
    const auto holding = [](StreamRef used, RunLoop& executor, std::shared_ptr<int>) -> Task {
        co_await completion(used, executor);
    };
    Gate gate(stream);
    {
        RunLoop shorter;
        std::optional<Task> task(holding(stream, shorter, held));
        EXPECT_EQ(held.use_count(), 2);
        task.reset();
        EXPECT_EQ(held.use_count(), 1);
    }
    gate.open();
    stream.synchronize();
}

TEST_F(CancellationTest, ACoroutineCanBeDestroyedBeforeItsExecutorResumesIt) {
    std::optional<Task> task(wait_for(StreamRef(stream), loop));
    stream.synchronize();  // the executor has the function
    task.reset();
    EXPECT_EQ(loop.run_ready(), 1u);
}

TEST_F(CancellationTest, ACoroutineCanBeDestroyedWhileItsWorkEnds) {
    for (int round = 0; round < 300; ++round) {
        RunLoop shorter;
        Gate gate;
        stream.launch_host_function(gate.blocker());
        std::stop_source source;
        std::optional<Task> task(wait_for(StreamRef(stream), shorter, source.get_token()));
        gate.open();
        if (round % 2 != 0) std::this_thread::yield();
        task.reset();
    }
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
