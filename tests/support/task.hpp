// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <utility>

namespace cubind::testing {

/// A coroutine that begins at once. The object owns it: destroying the object destroys a coroutine that is suspended.
class Task {
public:
    struct promise_type {
        struct End {
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<promise_type> coroutine) const noexcept {
                std::atomic<bool>& is_done = coroutine.promise().is_done;
                is_done.store(true);  // the coroutine may be destroyed from here on
            }
            void await_resume() const noexcept {}
        };
        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        End final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() noexcept { exception = std::current_exception(); }

        std::exception_ptr exception;
        std::atomic<bool> is_done{false};
    };

    Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(coroutine_, other.coroutine_);
        return *this;
    }
    ~Task() {
        if (coroutine_) coroutine_.destroy();
    }

    bool is_done() const noexcept { return coroutine_.promise().is_done.load(); }
    /// Throws the exception with which the coroutine has ended.
    void get() const {
        if (coroutine_.promise().exception) std::rethrow_exception(coroutine_.promise().exception);
    }

private:
    explicit Task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

    std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace cubind::testing
