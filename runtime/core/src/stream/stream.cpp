// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/stream.hpp>

#include "calls/driver.hpp"
#include "lifetime/deferred.hpp"
#include "stream/stream_priority.hpp"

namespace CUBIND_NAMESPACE {
namespace {

StreamRef::Handle handle_of(std::uintptr_t value) {
    return reinterpret_cast<StreamRef::Handle>(value);
}

// The values of the vendor's macros CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
constexpr std::uintptr_t legacy = 1;
constexpr std::uintptr_t per_thread = 2;

}  // namespace

// ---- default streams ----------------------------------------------------------------------------------------------------

StreamRef StreamRef::legacy_default() noexcept {
    return handle_of(legacy);
}

StreamRef StreamRef::per_thread_default() noexcept {
    return handle_of(per_thread);
}

bool StreamRef::is_default() const noexcept {
    return reinterpret_cast<std::uintptr_t>(handle_) <= per_thread;
}

// ---- properties ---------------------------------------------------------------------------------------------------------

ContextRef StreamRef::context() const {
    if (const detail::StreamState* const owned = detail::StreamAccess::state(*this)) return owned->context();
    return check(driver::cuStreamGetCtx(checked_handle()));
}

Device StreamRef::device() const {
    return context().device();
}

int StreamRef::priority() const {
    return check(driver::cuStreamGetPriority(checked_handle()));
}

bool StreamRef::is_nonblocking() const {
    return (check(driver::cuStreamGetFlags(checked_handle())) & driver::CU_STREAM_NON_BLOCKING) != 0;
}

unsigned long long StreamRef::id() const {
    return check(driver::cuStreamGetId(checked_handle()));
}

bool StreamRef::is_capturing() const {
    return check(driver::cuStreamIsCapturing(checked_handle())) == driver::CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

// ---- waiting -------------------------------------------------------------------------------------------------------------

bool StreamRef::is_done() const {
    return detail::is_done(driver::cuStreamQuery(checked_handle()));
}

void StreamRef::synchronize() const {
    check(driver::cuStreamSynchronize(checked_handle()));
    detail::destroy_ready_objects();
}

void StreamRef::wait(EventRef event) const {
    check(driver::cuStreamWaitEvent(checked_handle(), event.native_handle(), driver::CU_EVENT_WAIT_DEFAULT));
}

void StreamRef::wait(StreamRef other) const {
    // The event can be destroyed at once: the driver retains what the wait needs.
    wait(other.record());
}

// ---- work ----------------------------------------------------------------------------------------------------------------

void StreamRef::record(EventRef event) const {
    check(driver::cuEventRecord(event.native_handle(), checked_handle()));
}

Event StreamRef::record() const {
    return record(EventOptions{});
}

Event StreamRef::record(const EventOptions& options) const {
    Event event(context(), options);
    record(event);
    return event;
}

// ---- attributes ----------------------------------------------------------------------------------------------------------

driver::CUstreamAttrValue StreamRef::attribute(driver::CUstreamAttrID which) const {
    return check(driver::cuStreamGetAttribute(checked_handle(), which));
}

void StreamRef::set_attribute(driver::CUstreamAttrID which, const driver::CUstreamAttrValue& value) const {
    check(driver::cuStreamSetAttribute(checked_handle(), which, &value));
}

void StreamRef::copy_attributes(StreamRef source) const {
    const auto copied = driver::cuStreamCopyAttributes(checked_handle(), source.checked_handle());
    if (copied.ok()) return;
    const bool is_refused = copied.status == driver::CUDA_ERROR_INVALID_VALUE;
    detail::throw_with_advice(copied, is_refused ? "Both streams must belong to the same context" : "");
}

void StreamRef::attach(driver::CUdeviceptr memory, MemoryAttachment attachment) const {
    const auto attached = driver::cuStreamAttachMemAsync(checked_handle(), memory, 0, static_cast<unsigned int>(attachment));
    if (attached.ok()) return;
    const bool is_refused = attached.status == driver::CUDA_ERROR_INVALID_VALUE;
    detail::throw_with_advice(
        attached, is_refused ? detail::concat("The address ", memory,
                                              " must be that of an allocation of managed memory; a default stream cannot "
                                              "attach memory to itself only (MemoryAttachment::single)")
                             : std::string());
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

void detail::check_priority(ContextRef context, int priority) {
    if (priority == 0) return;  // every context supports it
    const auto [least, greatest] = context.priority_range();
    if (priority > least || priority < greatest) {
        throw_misuse("a stream cannot have priority ", priority, ": this context supports ", greatest, " (highest) to ", least,
                     " (lowest)");
    }
}

namespace {

detail::StreamState* create(ContextRef context, const StreamOptions& options) {
    const ScopedContext scope(context);
    detail::check_priority(context, options.priority);
    const unsigned int flags = options.nonblocking ? driver::CU_STREAM_NON_BLOCKING : driver::CU_STREAM_DEFAULT;
    const driver::CUstream handle = check(driver::cuStreamCreateWithPriority(flags, options.priority));
    try {
        return detail::own_stream(handle, context.native_handle());
    } catch (...) {
        detail::report_unless_released(driver::cuStreamDestroy(handle), "destroy a stream", handle);
        throw;
    }
}

}  // namespace

Stream::Stream(Device device, const StreamOptions& options) : Stream(device.context(), options) {}

Stream::Stream(ContextRef context, const StreamOptions& options) : Owner(detail::StreamAccess::view(create(context, options))) {}

Stream Stream::from_native_handle(Handle handle) {
    if (StreamRef(handle).is_default()) {
        detail::throw_misuse("a default stream cannot be owned: use StreamRef::legacy_default() or per_thread_default()");
    }
    detail::StreamState* const state = detail::own_stream(handle, StreamRef(handle).context().native_handle());
    state->expose();
    return Stream(detail::StreamAccess::view(state));
}

Stream Device::create_stream() const {
    return Stream(*this);
}

Stream Device::create_stream(const StreamOptions& options) const {
    return Stream(*this, options);
}

StreamRef Device::default_stream() const {
    return StreamRef::legacy_default();
}

}  // namespace CUBIND_NAMESPACE
