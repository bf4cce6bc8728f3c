// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/detail/free_order.hpp>

#include <cubind/core/memory_resource.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/stream.hpp>

#include "memory/free_quietly.hpp"
#include "support/driver.hpp"

#include <atomic>
#include <cstdio>
#include <optional>

namespace cubind::detail {
namespace {

// Unlike the system's numbers of threads, none is ever given twice.
unsigned long long this_thread() {
    static std::atomic<unsigned long long> threads{0};
    thread_local const unsigned long long number = ++threads;
    return number;
}

}  // namespace

void FreeOrder::note_what_default_stream(StreamRef stream) {
    if (!stream.is_default()) return;
    // Resources that know nothing of CUDA have to work where there is no context, and no driver.
    if (const auto current = driver::cuCtxGetCurrent(); current.ok()) context_ = current.value;
    if (stream == StreamRef::per_thread_default()) thread_ = this_thread();
}

void FreeOrder::stay_in_capture() {
    const auto info = driver::cuStreamGetCaptureInfo_v1(stream_);
    check(Result<driver::CUresult>{info.status});
    capture_ = info.value1 == driver::CU_STREAM_CAPTURE_STATUS_ACTIVE ? info.value2 : 0;
}

bool FreeOrder::is_capture_over() const {
    // A stream that was joined into another one, or whose builder is gone, takes no more work of the capture.
    if (owned_.get() == nullptr || owned_.get()->retainer() == nullptr) return true;
    const auto info = driver::cuStreamGetCaptureInfo_v1(stream_);
    return !info.ok() || info.value1 != driver::CU_STREAM_CAPTURE_STATUS_ACTIVE || info.value2 != capture_;
}

StreamRef FreeOrder::stream() const noexcept {
    if (owned_.get() != nullptr) return StreamAccess::view(owned_.get());
    // Nothing names the default stream of another thread, but the legacy one waits for it.
    if (thread_ != 0 && thread_ != this_thread()) return StreamRef::legacy_default();
    return stream_;
}

void FreeOrder::deallocate_elsewhere(MemoryResourceBase& resource, driver::CUdeviceptr pointer, std::size_t size) const {
    if (is_of_capture() && is_capture_over()) return;
    if (context_ == nullptr) return resource.deallocate(stream(), pointer, size);
    std::optional<ScopedContext> scope;
    try {
        scope.emplace(context_);
    } catch (const Error&) {
        scope.emplace(context_);  // once more, since memory that cannot go back is lost
    }
    resource.deallocate(stream(), pointer, size);
}

void report_not_freed(driver::CUdeviceptr pointer, std::size_t size) noexcept {
    char what[80];
    std::snprintf(what, sizeof what, "free %zu bytes at %#llx", size, static_cast<unsigned long long>(pointer));
    report_exception_unless_released(what);
}

}  // namespace cubind::detail
