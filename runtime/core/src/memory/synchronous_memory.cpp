// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/synchronous_memory.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/stream.hpp>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

// Drivers wait for the devices before they free such memory, but do not
// guarantee this for every stream. Waits neither for captured work, which runs later and retains its buffers, nor for a default
// stream without a context, which has no work.
void wait_before_free(StreamRef stream) {
    if (stream.is_default() && !ContextRef::current()) return;
    const auto capturing = driver::cuStreamIsCapturing(StreamAccess::handle(stream));
    if (!capturing.ok() || capturing.value != driver::CU_STREAM_CAPTURE_STATUS_NONE) return;
    report_unless_released(driver::cuStreamSynchronize(StreamAccess::handle(stream)),
                           "wait for a stream before its memory is freed", StreamAccess::handle(stream));
}

void SynchronousMemory::deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t, std::size_t) {
    const RelaxedCaptureMode mode;
    wait_before_free(stream);
    free(pointer);
}

void SynchronousMemory::free(driver::CUdeviceptr pointer) {
    check(driver::cuMemFree(pointer));
}

driver::CUdeviceptr SynchronousDeviceMemory::allocate(StreamRef stream, std::size_t size, std::size_t alignment) {
    check_driver_alignment(alignment);
    const ScopedContext scope(device_.context());
    const RelaxedCaptureMode mode;
    const auto allocated = driver::cuMemAlloc(size);
    if (!allocated.ok()) throw_not_allocated(allocated, size, stream, device_);
    return allocated.value;
}

}  // namespace CUBIND_NAMESPACE::detail
