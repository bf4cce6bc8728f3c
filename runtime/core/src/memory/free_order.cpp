// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/detail/free_order.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/stream.hpp>

#include <atomic>
#include <cstdio>
#include <optional>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "lifetime/known_contexts.hpp"
#include "memory/counted_allocation.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// Unlike thread ids of the system, these numbers are never reused.
unsigned long long this_thread() {
    static std::atomic<unsigned long long> threads{0};
    thread_local const unsigned long long number = ++threads;
    return number;
}

}  // namespace

void FreeOrder::note_default_stream(StreamRef stream) {
    if (!stream.is_default()) return;
    try {
        const ContextRef current = ContextRef::current();
        if (current) note_context(context_ = current.native_handle());
    } catch (const Error&) {
        // Resources that do not use CUDA must work without a driver.
    }
    if (stream == StreamRef::per_thread_default()) thread_ = this_thread();
}

void FreeOrder::bind_to_capture() {
    const auto info = driver::cuStreamGetCaptureInfo_v1(stream_);
    check(Result<driver::CUresult>{info.status});
    capture_ = info.value1 == driver::CU_STREAM_CAPTURE_STATUS_ACTIVE ? info.value2 : 0;
    is_builders_capture_ = owned_.get() != nullptr && owned_.get()->retainer() != nullptr;
}

bool FreeOrder::has_capture_ended() const {
    // A stream accepts no more work of the capture after its builder was joined into another builder or was destroyed.
    if (is_builders_capture_ && owned_.get()->retainer() == nullptr) return true;
    if (thread_ != 0 && thread_ != this_thread()) return true;  // this thread has no handle of that stream
    const auto info = driver::cuStreamGetCaptureInfo_v1(stream_);
    return !info.ok() || info.value1 != driver::CU_STREAM_CAPTURE_STATUS_ACTIVE || info.value2 != capture_;
}

StreamRef FreeOrder::stream() const noexcept {
    if (owned_.get() != nullptr) return StreamAccess::view(owned_.get());
    // The default stream of another thread has no handle on this thread, but the legacy default stream waits for it.
    if (thread_ != 0 && thread_ != this_thread()) return StreamRef::legacy_default();
    return stream_;
}

bool FreeOrder::has_stream_ended() const {
    if (owned_.get() != nullptr) return owned_.get()->has_ended();
    return context_ != nullptr && !DeviceTable::get().has_primary(context_) && has_ended(context_, ended_contexts);
}

void FreeOrder::deallocate_with_checks(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size,
                                       std::size_t alignment) const {
    if (has_stream_ended()) {
        // The work of the stream has ended with its context. Memory of pools belongs to no context.
        const ScopedContext primary(resource.device().value_or(Device(0)).primary_context());
        return resource.deallocate(StreamRef::legacy_default(), pointer, size, alignment);
    }
    std::optional<ScopedContext> scope;
    if (context_ != nullptr) enter_context(scope);
    if (is_bound_to_capture() && has_capture_ended()) return;
    resource.deallocate(stream(), pointer, size, alignment);
}

void FreeOrder::enter_context(std::optional<ScopedContext>& scope) const {
    try {
        scope.emplace(context_);
    } catch (const Error&) {
        scope.emplace(context_);  // a second attempt, because the memory would leak otherwise
    }
}

void report_not_freed(const Allocation& allocation) noexcept {
    char what[80];
    std::snprintf(what, sizeof what, "free %zu bytes at %#llx", allocation.size,
                  static_cast<unsigned long long>(allocation.pointer));
    report_exception_unless_released(what);
}

}  // namespace CUBIND_NAMESPACE::detail
