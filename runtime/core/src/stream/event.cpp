// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/ipc_event_descriptor.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/memory.hpp>

#include <cstring>

#include "calls/driver.hpp"
#include "device/context_object.hpp"
#include "device/device_scope.hpp"
#include "lifetime/deferred.hpp"
#include "lifetime/known_contexts.hpp"
#include "stream/shared_event_contexts.hpp"

namespace CUBIND_NAMESPACE {

// ---- the view ------------------------------------------------------------------------------------------------------------

bool EventRef::is_done() const {
    return detail::is_done(driver::cuEventQuery(native_handle()));
}

void EventRef::synchronize() const {
    check(driver::cuEventSynchronize(native_handle()));
    detail::destroy_ready_objects();
}

void EventRef::destroy() const {
    detail::SharedEventContexts::remove(handle_);
    check(driver::cuEventDestroy(handle_));
}

void EventRef::destroy_quietly() const noexcept {
    detail::SharedEventContexts::remove(handle_);
    detail::report_unless_released(driver::cuEventDestroy(handle_), "destroy an event", handle_);
}

namespace {

Result<driver::CUresult, float> elapsed_time(EventRef earlier, EventRef later) {
    const auto newer = driver::cuEventElapsedTime_v2(earlier.native_handle(), later.native_handle());
    if (!detail::is_missing(newer)) return newer;
    return driver::cuEventElapsedTime_v1(earlier.native_handle(), later.native_handle());  // before CUDA 12.8
}

bool has_time(EventRef event) {
    return elapsed_time(event, event).status != driver::CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace

Milliseconds operator-(EventRef later, EventRef earlier) {
    const auto elapsed = elapsed_time(earlier, later);
    if (elapsed.status == driver::CUDA_ERROR_NOT_READY) {
        detail::throw_misuse(
            "there is no time between two events yet: one of them is not done; call synchronize() on the later one first");
    }
    if (elapsed.status == driver::CUDA_ERROR_INVALID_HANDLE) {
        for (const bool is_later : {false, true}) {
            if (has_time(is_later ? later : earlier)) continue;
            detail::throw_misuse("there is no time between two events: the ", is_later ? "later" : "earlier",
                                 " one was not created with EventOptions{.timing_enabled = true}, or was not recorded");
        }
        detail::throw_misuse("there is no time between two events: they belong to different contexts, whose clocks differ");
    }
    return Milliseconds(detail::check_latest(elapsed));
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

unsigned int creation_flags(const EventOptions& options) {
    if (options.ipc_enabled && options.timing_enabled) {
        detail::throw_misuse(
            "EventOptions sets both ipc_enabled and timing_enabled: an event for other processes cannot record the time");
    }
    unsigned int flags = driver::CU_EVENT_DEFAULT;
    if (!options.timing_enabled) flags |= driver::CU_EVENT_DISABLE_TIMING;
    if (options.blocking_sync) flags |= driver::CU_EVENT_BLOCKING_SYNC;
    if (options.ipc_enabled) flags |= driver::CU_EVENT_INTERPROCESS;
    return flags;
}

EventRef::Handle create(ContextRef context, unsigned int flags) {
    const ScopedContext scope(context);
    detail::note_context(context.native_handle());
    return check(driver::cuEventCreate(flags));
}

EventRef::Handle create(Device device, unsigned int flags) {
    {
        const detail::DeviceScope scope(device);
        const auto created = driver::cuEventCreate(flags);
        const bool is_reset =
            created.status == driver::CUDA_ERROR_CONTEXT_IS_DESTROYED || created.status == driver::CUDA_ERROR_INVALID_CONTEXT;
        if (!is_reset) return detail::check_latest(created);
    }
    // Other code has reset the primary context, which DeviceScope does not check. primary_context() retains it again.
    return create(device.context(), flags);
}

}  // namespace

Event::Event(Device device, const EventOptions& options) : Event(EventRef(create(device, creation_flags(options))), options) {
    device_ = device.ordinal();
    if (options.ipc_enabled) detail::SharedEventContexts::add(native_handle(), device.context());
}

Event::Event(ContextRef context, const EventOptions& options)
    : Event(EventRef(create(context, creation_flags(options))), options) {
    context_ = context;
    if (options.ipc_enabled) detail::SharedEventContexts::add(native_handle(), context);
}

void Event::check_known() const {
    (void)native_handle();
    if (device_ < 0 && !context_) {
        detail::throw_misuse(
            "the driver does not report the device, the context and the options of an event that was created "
            "elsewhere");
    }
}

Device Event::device() const {
    check_known();
    return context_ ? context_.device() : Device(device_);
}

ContextRef Event::context() const {
    check_known();
    return context_ ? context_ : Device(device_).context();
}

EventOptions Event::options() const {
    check_known();
    return options_;
}

// ---- other processes -----------------------------------------------------------------------------------------------------

IpcEventDescriptor EventRef::ipc_descriptor() const {
    const ContextRef context = detail::SharedEventContexts::find(native_handle());
    const ScopedContext scope(context ? context : detail::context_of_foreign_object());
    const auto exported = driver::cuIpcGetEventHandle(native_handle());
    if (!exported.ok()) {
        detail::throw_with_advice(
            {exported.status}, "other processes can open only an event that was created with EventOptions{.ipc_enabled = true}");
    }
    IpcEventDescriptor descriptor;
    static_assert(sizeof(IpcEventDescriptor::data) == sizeof(driver::CUipcEventHandle));
    std::memcpy(descriptor.data.data(), exported.value.reserved, sizeof descriptor.data);
    return descriptor;
}

Event Event::from_ipc_descriptor(ContextRef context, const IpcEventDescriptor& descriptor) {
    driver::CUipcEventHandle handle{};
    std::memcpy(handle.reserved, descriptor.data.data(), sizeof handle.reserved);
    const ScopedContext scope(context);
    detail::note_context(context.native_handle());
    const auto opened = driver::cuIpcOpenEventHandle(handle);
    if (!opened.ok()) {
        detail::throw_with_advice({opened.status},
                                  opened.status == driver::CUDA_ERROR_INVALID_CONTEXT
                                      ? "only other processes than the one that has created an event can open it"
                                      : "an event can be opened only while the process that has created it still "
                                        "has it");
    }
    Event event(EventRef(opened.value), {.ipc_enabled = true});
    event.context_ = context;
    detail::SharedEventContexts::add(opened.value, context);
    return event;
}

Event Event::from_ipc_descriptor(Device device, const IpcEventDescriptor& descriptor) {
    return from_ipc_descriptor(device.context(), descriptor);
}

Event Device::create_event() const {
    return Event(*this);
}

Event Device::create_event(const EventOptions& options) const {
    return Event(*this, options);
}

}  // namespace CUBIND_NAMESPACE
