// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/run_loop.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/strings.hpp>

#include <atomic>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "core_test.hpp"
#include "gate.hpp"
#include "task.hpp"

namespace cubind::testing {

/// Waits on the loop until the coroutine has ended, and throws its exception.
inline void finish(const Task& task, RunLoop& loop) {
    EXPECT_TRUE(eventually([&] {
        loop.run_ready();
        return task.is_done();
    }));
    task.get();
}

/// A coroutine that waits once and then stores the thread that continues it.
template <class Source, class Executor>
Task wait_for(Source source, Executor& executor, std::stop_token stop = {}, std::thread::id* continued_by = nullptr) {
    co_await completion(source, executor, stop);
    if (continued_by != nullptr) *continued_by = std::this_thread::get_id();
}

class CompletionTest : public CoreTest {
protected:
    /// Makes the device of the stream fail after the work that was submitted before (CUDA_ERROR_LAUNCH_FAILED).
    static void fail(StreamRef stream) {
        check(driver::cuLaunchHostFunc(
            stream.native_handle(), [](void*) { throw std::runtime_error("the work fails"); }, nullptr));
    }

    /// Returns whether the function throws the std::system_error of a cancelled wait.
    template <class Function>
    static bool is_cancelled(const Function& function) {
        try {
            function();
        } catch (const std::system_error& error) {
            return error.code() == std::errc::operation_canceled;
        }
        return false;
    }

    RunLoop loop;
};

}  // namespace cubind::testing
