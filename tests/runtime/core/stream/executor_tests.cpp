// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/run_loop.hpp>
#include <cubind/core/stream/thread_pool.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "observed.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;

TEST(RunLoopTest, CallsFunctionsInOrderUntilItIsFinished) {
    RunLoop loop;
    std::vector<int> seen;
    loop.execute([&] {
        seen.push_back(1);
        loop.execute([&] {
            seen.push_back(3);
            loop.finish();
        });
    });
    loop.execute([&] { seen.push_back(2); });
    loop.run();
    EXPECT_THAT(seen, ::testing::ElementsAre(1, 2, 3));
}

TEST(RunLoopTest, WaitsForFunctionsOfOtherThreads) {
    RunLoop loop;
    std::thread::id called_by;
    std::jthread other([&] {
        loop.execute([&] {
            called_by = std::this_thread::get_id();
            loop.finish();
        });
    });
    loop.run();
    EXPECT_EQ(called_by, std::this_thread::get_id());
}

TEST(RunLoopTest, RunsOnlyWhatIsReady) {
    RunLoop loop;
    int calls = 0;
    EXPECT_EQ(loop.run_ready(), 0u);
    loop.execute([&] {
        ++calls;
        loop.execute([&] { ++calls; });
    });
    EXPECT_EQ(loop.run_ready(), 1u);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(loop.run_ready(), 1u);
    EXPECT_EQ(calls, 2);
}

TEST(RunLoopTest, PassesOnExceptions) {
    RunLoop loop;
    int calls = 0;
    for (int i = 0; i < 2; ++i) {
        loop.execute([] { throw std::out_of_range("out"); });
        loop.execute([&] { ++calls; });
    }
    EXPECT_THROW(loop.run(), std::out_of_range);
    EXPECT_EQ(calls, 0);
    EXPECT_THROW((void)loop.run_ready(), std::out_of_range);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(loop.run_ready(), 1u);
    EXPECT_EQ(calls, 2);
}

TEST(RunLoopTest, DestroysFunctionsThatItHasNotCalled) {
    const auto held = std::make_shared<int>(1);
    {
        RunLoop loop;
        loop.execute([held] {});
        EXPECT_EQ(held.use_count(), 2);
    }
    EXPECT_EQ(held.use_count(), 1);
}

TEST(RunLoopTest, CanBeDestroyedByAFunctionOfAnotherThread) {
    for (int round = 0; round < 200; ++round) {
        std::jthread other;
        RunLoop loop;
        other = std::jthread([&] { loop.execute([&] { loop.finish(); }); });
        loop.run();
    }
}

TEST(ThreadPoolTest, CallsFunctionsOnItsThreads) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::atomic<int> calls{0};
    std::atomic<int> inside{0};
    {
        ThreadPool pool(3);
        EXPECT_EQ(pool.size(), 3u);
        for (int i = 0; i < 3; ++i) {
            pool.execute([&] {
                ++inside;
                EXPECT_TRUE(eventually([&] { return inside == 3; })) << "all threads run at once";
                const std::lock_guard lock(mutex);
                threads.insert(std::this_thread::get_id());
            });
        }
        for (int i = 0; i < 100; ++i) pool.execute([&] { ++calls; });
        EXPECT_TRUE(eventually([&] { return calls == 100; }));
    }
    EXPECT_EQ(threads.size(), 3u);
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(ThreadPoolTest, CallsAllFunctionsBeforeItEnds) {
    std::atomic<int> calls{0};
    {
        ThreadPool pool(1);
        for (int i = 0; i < 100; ++i) pool.execute([&] { ++calls; });
    }
    EXPECT_EQ(calls, 100);
}

// Returns whether a child of fork() that calls the function ends by itself, and successfully.
template <class Function>
bool ends_in_child(Function function) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        function();
        _exit(0);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

// The child has none of the threads, one of which may hold the lock.
TEST(ThreadPoolTest, EndsInAForkedChild) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer does not support a fork of several threads";
    auto pool = std::make_unique<ThreadPool>(2);
    std::atomic<bool> is_over{false};
    std::jthread busy([&] {
        while (!is_over) pool->execute([] {});
    });
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(ends_in_child([&] {
            pool->execute([] {});
            pool.reset();
        }));
    }
    is_over = true;
}

TEST(RunLoopTest, IsRunAndDestroyedByAForkedChild) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer does not support a fork of several threads";
    auto loop = std::make_unique<RunLoop>();
    std::jthread waiting([&] { loop->run(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(ends_in_child([&] {
        loop->execute([&] { loop->finish(); });
        loop->run();
        loop.reset();
    }));
    loop->finish();
}

TEST(ThreadPoolTest, RejectsZeroThreads) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { ThreadPool{0}; }), ::testing::HasSubstr("0 threads"));
}

}  // namespace
}  // namespace cubind::testing
