// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/notification.hpp>
#include <cubind/core/stream/detail/queued_function.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

/// Part of <cubind/core/stream/completion.hpp>; <cubind/core.hpp> does not include this header.
namespace CUBIND_NAMESPACE::detail {

/// A suspended coroutine. Its co_await expression, the notification of the driver and the function that resumes it on its
/// executor share the object, so that each of them may end last.
class CUBIND_EXPORT Suspension : public std::enable_shared_from_this<Suspension> {
public:
    Suspension(const Suspension&) = delete;
    Suspension& operator=(const Suspension&) = delete;
    virtual ~Suspension() = default;

    /// Ends the wait with the status of the work. Only the first end has an effect. Neither calls CUDA nor blocks.
    void end(driver::CUresult status) noexcept { end(status, false); }
    /// Ends the wait because the program has requested that.
    void cancel() noexcept { end(driver::CUDA_SUCCESS, true); }

    /// Allows that the coroutine is resumed, at once if the wait has ended. The last call in await_suspend().
    void arm() noexcept;
    /// Resumes the coroutine unless it is destroyed. Called by the executor.
    void resume() {
        if (!is_resumed_.exchange(true)) coroutine_.resume();
    }
    /// Called when the co_await expression ends. If the coroutine was not resumed, it is being destroyed: returns once nothing
    /// uses the executor any more.
    void leave() noexcept;

    /// Returns if the work has succeeded. Throws Error if it has failed, std::system_error if the wait was cancelled, and the
    /// exception of an executor that did not take the function.
    void check() const;

protected:
    explicit Suspension(std::coroutine_handle<> coroutine) noexcept : coroutine_(coroutine) {}

private:
    /// Passes a function that calls resume() to the executor.
    virtual void post() = 0;
    void end(driver::CUresult status, bool is_cancelled) noexcept;
    void post_once(unsigned int step) noexcept;

    const std::coroutine_handle<> coroutine_;
    driver::CUresult status_ = driver::CUDA_SUCCESS;
    bool is_cancelled_ = false;
    std::exception_ptr failure_of_executor_;
    std::atomic<bool> has_end_{false};
    std::atomic<bool> is_resumed_{false};
    std::atomic<unsigned int> steps_{0};
};

/// Throws the std::system_error of a cancelled wait.
[[noreturn]] CUBIND_EXPORT void throw_cancelled();

/// Calls Suspension::resume() in the queue of a RunLoop or a ThreadPool.
class QueuedResume final : public QueuedFunction {
public:
    void call() override { suspension->resume(); }

    std::shared_ptr<Suspension> suspension;
};

/// A coroutine that an executor resumes.
template <class Executor>
class SuspensionOn final : public Suspension {
public:
    SuspensionOn(std::coroutine_handle<> coroutine, Executor executor) : Suspension(coroutine), executor_(std::move(executor)) {}

private:
    // Such an executor takes a function that was allocated before the wait, so that it cannot fail.
    CUBIND_HIDDEN static constexpr bool takes_queued_function =
        requires(Executor & executor, std::unique_ptr<QueuedFunction> function) {
        QueueAccess::add(executor, std::move(function));
    };
    struct Nothing {};
    using Prepared = std::conditional_t<takes_queued_function, std::unique_ptr<QueuedResume>, Nothing>;

    static Prepared prepare() {
        if constexpr (takes_queued_function) return std::make_unique<QueuedResume>();
        return {};
    }

    void post() override {
        if constexpr (takes_queued_function) {
            prepared_->suspension = shared_from_this();
            QueueAccess::add(executor_, std::move(prepared_));
        } else {
            executor_.execute([self = shared_from_this()] { self->resume(); });
        }
    }

    Executor executor_;
    [[no_unique_address]] Prepared prepared_ = prepare();
};

/// Ends a wait when the work has ended.
class SuspensionObserver final : public WorkObserver {
public:
    explicit SuspensionObserver(std::shared_ptr<Suspension> suspension) noexcept : suspension_(std::move(suspension)) {}
    void on_end(driver::CUresult status) noexcept override { suspension_->end(status); }

private:
    std::shared_ptr<Suspension> suspension_;
};

/// Cancels a wait.
class SuspensionCancel {
public:
    explicit SuspensionCancel(std::shared_ptr<Suspension> suspension) noexcept : suspension_(std::move(suspension)) {}
    void operator()() const noexcept {
        const std::shared_ptr<Suspension> suspension = suspension_;  // the call may destroy this object
        suspension->cancel();
    }

private:
    std::shared_ptr<Suspension> suspension_;
};

}  // namespace CUBIND_NAMESPACE::detail
