// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/queued_function.hpp>
#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

/// @file
/// An executor for coroutines. <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

namespace detail {

template <class Function>
class QueuedCallable final : public QueuedFunction {
public:
    template <class Argument>
    explicit QueuedCallable(std::in_place_t, Argument&& function) : function_(std::forward<Argument>(function)) {}
    void call() override { function_(); }

private:
    Function function_;
};

/// Copies or moves the function.
template <class Function>
std::unique_ptr<QueuedFunction> queued(Function&& function) {
    using Callable = std::decay_t<Function>;
    static_assert(std::is_invocable_v<Callable&>, "the function must be callable without arguments: capture what it needs");
    return std::make_unique<QueuedCallable<Callable>>(std::in_place, std::forward<Function>(function));
}

}  // namespace detail

/// A queue of functions that the threads in run() call, in order. An executor for completion(): a program that has a thread of
/// its own resumes its coroutines there. Any thread may call any function. A child of fork() has a copy of the queue, which it
/// may run and destroy. Neither copyable nor movable.
///
///     RunLoop loop;
///     Task task = process(stream, loop);         // calls loop.finish() at its end
///     loop.run();
class CUBIND_EXPORT RunLoop {
public:
    /// Creates an empty queue.
    RunLoop();
    RunLoop(const RunLoop&) = delete;
    RunLoop& operator=(const RunLoop&) = delete;
    /// Destroys the queue and the functions in it without calling them. No thread may be in run().
    ~RunLoop();

    /// Adds a function to the end of the queue. Throws std::bad_alloc if there is not enough memory.
    template <class Function>
    void execute(Function&& function) {
        add(detail::queued(std::forward<Function>(function)));
    }

    /// Calls functions and waits for further ones, until finish() was called and the queue is empty. An exception of a function
    /// reaches the caller, who may call run() again.
    void run();
    /// Calls the functions that are in the queue now, without waiting, and returns their number. An exception of a function
    /// reaches the caller; the functions behind it remain in the queue.
    std::size_t run_ready();
    /// Makes run() return once the queue is empty.
    void finish() noexcept;

private:
    friend class ThreadPool;
    friend class detail::QueueAccess;
    void add(std::unique_ptr<detail::QueuedFunction> function) noexcept;
    [[nodiscard]] bool is_of_parent() const noexcept;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace CUBIND_NAMESPACE
