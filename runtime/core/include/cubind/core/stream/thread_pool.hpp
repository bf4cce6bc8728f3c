// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/run_loop.hpp>

#include <cstddef>
#include <memory>
#include <utility>

/// @file
/// An executor for coroutines. <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

/// A fixed number of threads that call functions. An executor for completion(). This is the only class of the layer that starts
/// threads. Any thread except one of the pool may destroy it. A child of fork() has none of the threads: it may destroy its copy,
/// which waits for nothing, and the functions that it adds are not called. Neither copyable nor movable.
///
///     ThreadPool threads(2);
///     co_await completion(stream, threads);
class CUBIND_EXPORT ThreadPool {
public:
    /// Starts the threads. Throws std::invalid_argument for 0, and std::system_error if the system cannot create a thread.
    explicit ThreadPool(std::size_t count);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    /// Waits until all functions were called, and joins the threads. In a child of fork(), does neither.
    ~ThreadPool();

    /// Calls the function on one of the threads; the earliest function is called first. An exception of the function terminates
    /// the program. Throws std::bad_alloc if there is not enough memory.
    template <class Function>
    void execute(Function&& function) {
        add(detail::queued(std::forward<Function>(function)));
    }

    /// Returns the number of threads.
    [[nodiscard]] std::size_t size() const noexcept;

private:
    friend class detail::QueueAccess;
    void add(std::unique_ptr<detail::QueuedFunction> function) noexcept;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace CUBIND_NAMESPACE
