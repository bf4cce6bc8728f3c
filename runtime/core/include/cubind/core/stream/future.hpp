// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/detail/notification.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/status.hpp>

#include <exception>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

/// @file
/// Futures of work of a device. <cubind/core.hpp> does not include this header, because it takes long to compile.
namespace CUBIND_NAMESPACE {

/// Returns a future that becomes ready when all work that was submitted to the stream so far has ended, and that has the Error if
/// the work has failed. No thread waits until get() or wait() is called; wait_for() is a wait with a time limit. Work that is
/// submitted afterwards runs after the notification. Throws std::invalid_argument for a stream that is being captured
/// (cuStreamAddCallback).
///
///     std::future<void> done = future_of(stream);
///     if (done.wait_for(std::chrono::seconds(1)) == std::future_status::timeout) ...
[[nodiscard]] CUBIND_EXPORT std::future<void> future_of(StreamRef stream);
/// Returns a future that becomes ready when the latest record of the event is complete. Unless the record is complete, creates a
/// stream in the current context, or in the primary context of device 0 if there is none, so that a future of a stream is faster.
/// If work of another context than that one fails, the future may have no error (cuEventQuery, cuStreamWaitEvent,
/// cuStreamAddCallback).
[[nodiscard]] CUBIND_EXPORT std::future<void> future_of(EventRef event);

namespace detail {

/// Returns the error for the future of a task that never ran, std::future_errc::broken_promise. The first task creates it in its
/// constructor. Otherwise, the destructor of the std::promise would create it, and end the process if memory is exhausted.
CUBIND_EXPORT const std::exception_ptr& abandonment();

/// Passes the outcome of a function to a future.
class CUBIND_EXPORT AnyHostTask : public WorkObserver {
public:
    void on_end(driver::CUresult status) noexcept final;

private:
    /// Calls the function and stores its result.
    virtual void run() = 0;
    virtual void fail(std::exception_ptr failure) noexcept = 0;
};

template <class Function, class Value>
class HostTask final : public AnyHostTask {
public:
    template <class Argument>
    explicit HostTask(std::in_place_t, Argument&& function) : function_(std::forward<Argument>(function)) {
        (void)abandonment();
    }
    ~HostTask() override {
        if (!has_ended_) promise_.set_exception(abandonment());
    }

    std::future<Value> future() { return promise_.get_future(); }

private:
    void run() override {
        if constexpr (std::is_void_v<Value>) {
            function_();
            promise_.set_value();
        } else {
            promise_.set_value(function_());
        }
        has_ended_ = true;
    }
    void fail(std::exception_ptr failure) noexcept override {
        promise_.set_exception(std::move(failure));
        has_ended_ = true;
    }

    Function function_;
    std::promise<Value> promise_;
    bool has_ended_ = false;
};

}  // namespace detail

/// Calls `function()` on a thread of the driver after all previous work, like StreamRef::launch_host_function(), and returns a
/// future of its result or of the exception that it throws. If the previous work fails, the function is not called, and the
/// future has the Error. Subsequent work waits for the call, and runs even if the function throws. The function must not call
/// CUDA. It is destroyed later, as a host function is. Throws std::invalid_argument for a stream that is being captured
/// (cuStreamAddCallback).
///
///     std::future<double> sum = launch_host_task(stream, [&] { return std::reduce(values.begin(), values.end()); });
template <class Function>
[[nodiscard]] auto launch_host_task(StreamRef stream, Function&& function) {
    using Callable = std::decay_t<Function>;
    static_assert(std::is_invocable_v<Callable&>, "a host task must be callable without arguments: capture what it needs");
    using Task = detail::HostTask<Callable, std::invoke_result_t<Callable&>>;
    auto task = std::make_unique<Task>(std::in_place, std::forward<Function>(function));
    auto future = task->future();
    detail::observe(stream, std::move(task));
    return future;
}

}  // namespace CUBIND_NAMESPACE
