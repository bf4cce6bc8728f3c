// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/stream/thread_pool.hpp>
#include <cubind/driver/stream.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "completion_test.hpp"

namespace cubind::testing {
namespace {

// ---- success -------------------------------------------------------------------------------------------------------------

TEST_F(CompletionTest, ResumesOnTheExecutorWhenTheWorkOfTheStreamIsDone) {
    const Stream stream{Device()};
    Gate gate(stream);
    std::thread::id continued_by;
    const Task task = wait_for(StreamRef(stream), loop, {}, &continued_by);
    EXPECT_EQ(loop.run_ready(), 0u);
    EXPECT_FALSE(task.is_done());
    gate.open();
    finish(task, loop);
    EXPECT_EQ(continued_by, std::this_thread::get_id());
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(CompletionTest, NeverContinuesOnTheCallingThreadDirectly) {
    const Stream stream{Device()};
    const Event done = stream.record();
    const Task of_stream = wait_for(StreamRef(stream), loop);
    const Task of_event = wait_for(EventRef(done), loop);
    EXPECT_FALSE(of_stream.is_done());
    EXPECT_FALSE(of_event.is_done());
    finish(of_stream, loop);
    finish(of_event, loop);
}

TEST_F(CompletionTest, WaitsForTheRecordOfAnEventAndNotForLaterWork) {
    const Stream stream{Device(1)};
    Gate gate(stream);
    std::optional<Event> event(stream.record());
    Gate later(stream);
    const Task task = wait_for(EventRef(*event), loop);
    event.reset();  // the wait holds
    EXPECT_EQ(loop.run_ready(), 0u);
    gate.open();
    finish(task, loop);
    later.open();
}

TEST_F(CompletionTest, CompletesEventsInTheOrderOfTheirWork) {
    const Stream first{Device()}, second{Device()};
    Gate gate(first);
    const Event late = first.record(), early = second.record();
    const Task late_task = wait_for(EventRef(late), loop);
    Gate other(second);
    const Event middle = second.record();
    const Task middle_task = wait_for(EventRef(middle), loop);
    finish(wait_for(EventRef(early), loop), loop);
    other.open();
    finish(middle_task, loop);
    EXPECT_FALSE(late_task.is_done());
    gate.open();
    finish(late_task, loop);
}

TEST_F(CompletionTest, WaitsForDefaultStreamsAndForeignStreams) {
    Device(0).set_current();
    finish(wait_for(StreamRef::legacy_default(), loop), loop);
    finish(wait_for(StreamRef::per_thread_default(), loop), loop);
    const driver::CUstream foreign = check(driver::cuStreamCreate(0));
    finish(wait_for(StreamRef(foreign), loop), loop);
    check(driver::cuStreamDestroy(foreign));
}

TEST_F(CompletionTest, LetsTheContinuationCallCuda) {
    const Stream stream{Device()};
    const auto twice = [](StreamRef used, ThreadPool& executor, int& seen) -> Task {
        for (int i = 0; i < 2; ++i) {
            used.launch_host_function([&seen] { ++seen; });
            co_await completion(used, executor);
        }
    };
    int seen = 0;
    {
        ThreadPool threads(2);
        const Task task = twice(stream, threads, seen);
        EXPECT_TRUE(eventually([&] { return task.is_done(); }));
        task.get();
    }
    EXPECT_EQ(seen, 2);
}

TEST_F(CompletionTest, CanBeAwaitedRepeatedlyAndCopied) {
    const Stream stream{Device()};
    const auto repeated = [](StreamRef used, RunLoop& executor) -> Task {
        const auto done = completion(used, executor);
        const auto copy = done;
        co_await done;
        co_await done;
        co_await copy;
    };
    finish(repeated(stream, loop), loop);
}

TEST_F(CompletionTest, ServesManyWaitsAtOnce) {
    constexpr int count = 200;
    const Stream stream{Device()};
    std::atomic<int> done{0};
    const auto wait = [](StreamRef used, ThreadPool& executor, std::atomic<int>& counter) -> Task {
        co_await completion(used, executor);
        ++counter;
    };
    ThreadPool threads(3);
    Gate gate(stream);
    std::vector<Task> tasks;
    for (int i = 0; i < count; ++i) tasks.push_back(wait(stream, threads, done));
    gate.open();
    EXPECT_TRUE(
        eventually([&] { return std::all_of(tasks.begin(), tasks.end(), [](const Task& each) { return each.is_done(); }); }));
    EXPECT_EQ(done, count);
}

// An executor that can be copied, as in other libraries.
class CopiedExecutor {
public:
    CopiedExecutor(RunLoop& loop, std::shared_ptr<int> calls) : loop_(&loop), calls_(std::move(calls)) {}
    template <class Function>
    void execute(Function&& function) const {
        ++*calls_;
        loop_->execute(std::forward<Function>(function));
    }

private:
    RunLoop* loop_;
    std::shared_ptr<int> calls_;
};

TEST_F(CompletionTest, CopiesAnExecutorThatCanBeCopied) {
    static_assert(Executor<RunLoop> && Executor<ThreadPool> && Executor<CopiedExecutor> && !Executor<int>);
    const Stream stream{Device()};
    const auto calls = std::make_shared<int>(0);
    const auto wait = [](StreamRef used, CopiedExecutor executor) -> Task { co_await completion(used, executor); };
    finish(wait(stream, CopiedExecutor(loop, calls)), loop);
    EXPECT_EQ(*calls, 1);
    stream.synchronize();
    destroy_deferred_objects();
    EXPECT_EQ(calls.use_count(), 1);
}

// ---- failures ------------------------------------------------------------------------------------------------------------

TEST_F(CompletionTest, ThrowsTheErrorOfTheWork) {
    {
        const Stream stream{Device()};
        Gate gate;
        stream.launch_host_function(gate.blocker());
        fail(stream);
        const Event event = stream.record();
        const Task of_stream = wait_for(StreamRef(stream), loop);
        const Task of_event = wait_for(EventRef(event), loop);
        gate.open();
        for (const Task* const task : {&of_stream, &of_event}) {
            EXPECT_THAT(
                message_of<Error>([&] { finish(*task, loop); }),
                ::testing::AllOf(::testing::HasSubstr("CUDA_ERROR_LAUNCH_FAILED"), ::testing::HasSubstr("before the wait")));
        }
        EXPECT_THROW(finish(wait_for(StreamRef(stream), loop), loop), Error) << "the driver rejects further calls";
    }
    (void)taken_cleanup_messages();  // nothing can be destroyed after the failure
}

/// An executor that takes no function.
struct FullExecutor {
    template <class Function>
    void execute(Function&&) const {
        throw std::length_error("the queue is full");
    }
};

TEST_F(CompletionTest, ThrowsTheExceptionOfTheExecutor) {
    const Stream stream{Device()};
    FullExecutor executor;
    std::optional<Gate> gate(stream);
    const Task by_driver = wait_for(StreamRef(stream), executor);
    EXPECT_FALSE(by_driver.is_done());
    gate->open();
    EXPECT_TRUE(eventually([&] { return by_driver.is_done(); }));
    EXPECT_THROW(by_driver.get(), std::length_error);
    const Event done = stream.record();
    stream.synchronize();
    const Task by_caller = wait_for(EventRef(done), executor);
    ASSERT_TRUE(by_caller.is_done());
    EXPECT_THROW(by_caller.get(), std::length_error);
    gate.emplace(stream);
    std::stop_source stop;
    const Task by_stop = wait_for(StreamRef(stream), executor, stop.get_token());
    stop.request_stop();
    ASSERT_TRUE(by_stop.is_done());
    EXPECT_THROW(by_stop.get(), std::length_error);
    gate->open();
}

TEST_F(CompletionTest, RejectsAStreamThatIsCaptured) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    const Task task = wait_for(StreamRef(builder), loop);
    EXPECT_TRUE(task.is_done());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { task.get(); }), ::testing::HasSubstr("launch the graph"));

    const Stream foreign{Device()};
    check(driver::cuStreamBeginCapture(foreign.native_handle(), driver::CU_STREAM_CAPTURE_MODE_GLOBAL));
    EXPECT_THROW(wait_for(StreamRef(foreign), loop).get(), std::invalid_argument);
    check(driver::cuGraphDestroy(check(driver::cuStreamEndCapture(foreign.native_handle()))));
    builder.end_building();
}

TEST_F(CompletionTest, WaitsForAnEventWhileAnotherStreamIsCaptured) {
    const Stream stream{Device()};
    Gate gate(stream);
    const Event event = stream.record();
    GraphBuilder builder{Device()};
    builder.begin_building(CaptureMode::global);
    const Task task = wait_for(EventRef(event), loop);
    gate.open();
    finish(task, loop);
    builder.end_building();
}

TEST_F(CompletionTest, RejectsAnEventOfACapture) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    const Event event = builder.stream().record();
    EXPECT_THAT(message_of<Error>([&] { wait_for(EventRef(event), loop).get(); }),
                ::testing::AllOf(::testing::HasSubstr("CUDA_ERROR_CAPTURED_EVENT"), ::testing::HasSubstr("being captured")));
    EXPECT_THROW(builder.end_building(), Error) << "the query of an event invalidates its capture";
}

TEST_F(CompletionTest, RejectsEmptyStreamsAndEvents) {
    EXPECT_THROW(wait_for(StreamRef(Stream()), loop).get(), std::invalid_argument);
    EXPECT_THROW(wait_for(EventRef(Event()), loop).get(), std::invalid_argument);
}

TEST_F(CompletionTest, ReportsAFailureOfEachCallForAStream) {
    sweep([this] {
        const Stream stream{Device(0)};
        finish(wait_for(StreamRef(stream), loop), loop);
        stream.synchronize();
    });
}

TEST_F(CompletionTest, ReportsAFailureOfEachCallForAnEvent) {
    sweep([this] {
        Gate gate;
        const Stream stream{Device(0)};
        stream.launch_host_function(gate.blocker());
        const Event event = stream.record();
        const Task task = wait_for(EventRef(event), loop);
        gate.open();
        finish(task, loop);
        Device(0).synchronize();
    });
}

}  // namespace
}  // namespace cubind::testing
