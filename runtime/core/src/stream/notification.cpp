// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/detail/notification.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/detail/host_function.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/stream.hpp>

#include <memory>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// The driver calls this function exactly once for each successful call of cuStreamAddCallback, also if the work fails. A host
// function of cuLaunchHostFunc is not called then, so that its caller would wait for ever.
class Notification final : public Deferred {
public:
    explicit Notification(std::unique_ptr<WorkObserver> observer) noexcept : observer_(std::move(observer)) {}

    static void call(driver::CUstream, driver::CUresult status, void* self) noexcept {
        const HostFunctionScope scope;
        auto* const notification = static_cast<Notification*>(self);
        notification->observer_->on_end(status);
        destroy_later(notification);
    }

private:
    std::unique_ptr<WorkObserver> observer_;
};

void add_callback(StreamRef stream, std::unique_ptr<WorkObserver> observer) {
    // By the time of the check, the driver may have called the function and the notification may be destroyed.
    Notification* const notification = std::make_unique<Notification>(std::move(observer)).release();
    const auto added = driver::cuStreamAddCallback(StreamAccess::handle(stream), Notification::call, notification, 0);
    if (!added.ok()) delete notification;
    detail::check_latest(added);
}

}  // namespace

void observe(StreamRef stream, std::unique_ptr<WorkObserver> observer) {
    if (StreamAccess::may_be_capturing(stream) && stream.is_capturing()) {
        throw_misuse(
            "the stream is being captured, so its work does not run and cannot be waited for: end the capture, launch the graph, "
            "and wait for the stream of the launch");
    }
    add_callback(stream, std::move(observer));
    destroy_ready_objects();  // earlier notifications
}

void observe(EventRef event, std::unique_ptr<WorkObserver> observer) {
    const EventRef::Handle handle = event.native_handle();
    const RelaxedCaptureMode mode;
    const auto queried = driver::cuEventQuery(handle);
    if (queried.status == driver::CUDA_ERROR_CAPTURED_EVENT) {
        throw_with_advice(
            {queried.status},
            "The event was last recorded in a stream that is being captured: wait for the stream in which the graph "
            "is launched.");
    }
    if (is_done(queried)) return observer->on_end(driver::CUDA_SUCCESS);
    // A stream of its own, because the callbacks of one stream are called in order, so that an event that completes later would
    // delay the others. The driver completes the work of a destroyed stream.
    const Stream stream(Device().context());
    stream.wait(event);
    add_callback(stream, std::move(observer));
    destroy_ready_objects();
}

void throw_failure_of_work(driver::CUresult status) {
    const Result<driver::CUresult> failed{status};
    try {
        check(failed);
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(error, "This is the status of work that was submitted before the wait.");
    } catch (const Error& error) {
        throw Error(error, "This is the status of work that was submitted before the wait.");
    }
    throw_misuse("work that has succeeded is reported as failed");
}

}  // namespace CUBIND_NAMESPACE::detail
