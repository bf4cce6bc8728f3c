// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/suspension.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

/// @file
/// Coroutines that wait for work of a device. <cubind/core.hpp> does not include this header, because it takes long to compile.
namespace CUBIND_NAMESPACE {

/// A type whose `execute(function)` calls `function()` later, on a thread that may call CUDA: a RunLoop, a ThreadPool, an
/// executor of Boost.Asio or of the program. `execute()` is called on a thread of the driver. It must neither call `function`
/// itself, nor block, nor call CUDA. `function` can be copied. If `execute()` throws, for example because memory is exhausted,
/// the coroutine is resumed on the calling thread, usually one of the driver, where it must not call CUDA, and co_await throws
/// the exception. Waits with a RunLoop or a ThreadPool allocate nothing there.
template <class Type>
concept Executor = requires(Type& executor, void (*function)()) {
    executor.execute(function);
};

namespace detail {

template <Executor Type>
class ExecutorReference {
public:
    explicit ExecutorReference(Type& executor) noexcept : executor_(&executor) {}
    template <class Function>
    void execute(Function&& function) const {
        executor_->execute(std::forward<Function>(function));
    }
    void add(std::unique_ptr<QueuedFunction> function) const noexcept requires requires(Type& executor) {
        QueueAccess::add(executor, nullptr);
    }
    { QueueAccess::add(*executor_, std::move(function)); }

private:
    Type* executor_;
};

/// What a wait stores of an executor that was passed as `Type&&`: a copy, or a reference to an executor that cannot be copied.
template <class Type>
using StoredExecutor = std::conditional_t<std::is_lvalue_reference_v<Type> && !std::copy_constructible<std::remove_cvref_t<Type>>,
                                          ExecutorReference<std::remove_reference_t<Type>>, std::remove_cvref_t<Type>>;

template <class Type>
concept ExecutorArgument = Executor<std::remove_reference_t<Type>> && std::copy_constructible<StoredExecutor<Type>>;

/// The state of a co_await expression.
template <class Source, class Executor>
class CompletionAwaiter {
public:
    CompletionAwaiter(Source source, Executor executor, std::stop_token stop)
        : source_(source), executor_(std::move(executor)), stop_(std::move(stop)) {}
    CompletionAwaiter(const CompletionAwaiter&) = delete;
    CompletionAwaiter& operator=(const CompletionAwaiter&) = delete;
    ~CompletionAwaiter() {
        cancel_.reset();  // waits for a cancellation in progress
        if (suspension_ != nullptr) suspension_->leave();
    }

    /// Returns whether the coroutine need not be suspended, because a stop was requested.
    bool await_ready() const noexcept { return stop_.stop_requested(); }

    /// Suspends the coroutine until the work has ended.
    // Not inlined, because compilers may place local objects of inlined code in the coroutine, which arm() may destroy.
    [[gnu::noinline]] void await_suspend(std::coroutine_handle<> coroutine) {
        const std::shared_ptr<Suspension> suspension = std::make_shared<SuspensionOn<Executor>>(coroutine, executor_);
        suspension_ = suspension;
        if (stop_.stop_possible()) cancel_.emplace(stop_, SuspensionCancel(suspension));
        observe(source_, std::make_unique<SuspensionObserver>(suspension));
        suspension->arm();  // another thread may resume the coroutine and destroy this object
    }

    void await_resume() const {
        if (suspension_ == nullptr) throw_cancelled();
        suspension_->check();
    }

private:
    Source source_;
    Executor executor_;
    std::stop_token stop_;
    std::shared_ptr<Suspension> suspension_;
    std::optional<std::stop_callback<SuspensionCancel>> cancel_;
};

}  // namespace detail

/// The end of work, which a coroutine can await; see completion(). Can be copied; each co_await is a wait of its own.
template <class Source, class Executor>
class [[nodiscard]] Completion {
public:
    /// Creates an object that waits for a StreamRef or an EventRef; completion() calls it.
    Completion(Source source, Executor executor, std::stop_token stop)
        : source_(source), executor_(std::move(executor)), stop_(std::move(stop)) {}

    /// Suspends the coroutine until the work has ended.
    [[nodiscard]] detail::CompletionAwaiter<Source, Executor> operator co_await() const { return {source_, executor_, stop_}; }

private:
    Source source_;
    Executor executor_;
    std::stop_token stop_;
};

/// Returns an object whose co_await suspends the coroutine until all work that was submitted to the stream before has ended. The
/// executor then resumes it, also if the work had ended before. No thread waits (cuStreamAddCallback); work that is submitted
/// afterwards runs after the notification.
///
///     Task process(StreamRef stream, ThreadPool& threads) {
///         launch(stream, config, kernel, input, output);
///         co_await completion(stream, threads);
///         ...                                        // on a thread of the pool
///     }
///
/// co_await throws Error if the work fails, and std::system_error with std::errc::operation_canceled if `stop` requests a stop
/// before the end of the work. It throws on the calling thread, without suspension, if the stop was requested before, Error if
/// the driver rejects the notification, and std::invalid_argument for a stream that is being captured. A cancelled wait does not
/// affect the work.
///
/// An executor that can be copied is copied; another one must be an lvalue, and is referred to. It must exist until the wait has
/// ended. A suspended coroutine may be destroyed, but not while the executor resumes it. The driver still calls cubind's code
/// when the work ends: synchronize the context before a plugin is unloaded.
template <class Type>
requires detail::ExecutorArgument<Type> Completion<StreamRef, detail::StoredExecutor<Type>> completion(
    StreamRef stream, Type&& executor, std::stop_token stop = {}) {
    return {stream, detail::StoredExecutor<Type>(std::forward<Type>(executor)), std::move(stop)};
}

/// Returns an object whose co_await suspends the coroutine until the record of the event that is the latest at that time is
/// complete; see the overload for streams. If the record is complete, the executor resumes the coroutine at once; otherwise each
/// wait creates a stream in the current context, or in the primary context of device 0 if there is none, so that waiting for a
/// stream is faster (cuEventQuery, cuStreamWaitEvent, cuStreamAddCallback). If work of another context than that one fails,
/// co_await may return; a later call in that context throws.
template <class Type>
requires detail::ExecutorArgument<Type> Completion<EventRef, detail::StoredExecutor<Type>> completion(EventRef event,
                                                                                                      Type&& executor,
                                                                                                      std::stop_token stop = {}) {
    return {event, detail::StoredExecutor<Type>(std::forward<Type>(executor)), std::move(stop)};
}

}  // namespace CUBIND_NAMESPACE
