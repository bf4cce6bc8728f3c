// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_pool.hpp"

#include <cubind/core/detail/stream_access.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/memory_pool.hpp>
#include <cubind/driver/stream.hpp>

#include "memory/context_guard.hpp"
#include "memory/refusals.hpp"
#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {

std::shared_ptr<MemoryPool> MemoryPool::make(const driver::CUmemPoolProps& properties, const PoolPlace& place) {
    const RelaxedCaptureMode mode;
    const auto created = driver::cuMemPoolCreate(&properties);
    detail::check_latest(created);
    try {
        return std::make_shared<MemoryPool>(created.value, true, place);
    } catch (...) {
        report_unless_released(driver::cuMemPoolDestroy(created.value), "destroy a memory pool", created.value);
        throw;
    }
}

MemoryPool::~MemoryPool() {
    if (!is_owned_) return;
    const RelaxedCaptureMode mode;
    report_unless_released(driver::cuMemPoolDestroy(handle_), "destroy a memory pool", handle_);
}

// ---- attributes ----------------------------------------------------------------------------------------------------------

template <class Value>
Value MemoryPool::get(driver::CUmemPool_attribute which) const {
    Value value{};
    const RelaxedCaptureMode mode;
    check(driver::cuMemPoolGetAttribute(handle_, which, &value));
    return value;
}

template <class Value>
void MemoryPool::set(driver::CUmemPool_attribute which, Value value) const {
    const RelaxedCaptureMode mode;
    check(driver::cuMemPoolSetAttribute(handle_, which, &value));
}

template int MemoryPool::get(driver::CUmemPool_attribute) const;
template driver::cuuint64_t MemoryPool::get(driver::CUmemPool_attribute) const;
template void MemoryPool::set(driver::CUmemPool_attribute, int) const;
template void MemoryPool::set(driver::CUmemPool_attribute, driver::cuuint64_t) const;

// ---- memory --------------------------------------------------------------------------------------------------------------

void MemoryPool::throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> result, std::size_t size,
                                     StreamRef stream) const {
    std::string room("the pool has ");
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    (void)driver::cuMemPoolGetAttribute(handle_, driver::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved);
    (void)driver::cuMemPoolGetAttribute(handle_, driver::CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
    room.append(std::to_string(reserved)).append(" bytes, of which ").append(std::to_string(used)).append(" are in use");
    if (place_.max_size != 0) room.append("; it can have at most ").append(std::to_string(place_.max_size)).append(" bytes");
    detail::throw_not_allocated(result, size, stream, place_.device, room);
}

void MemoryPool::deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t, std::size_t) {
    const RelaxedWhileCapturing mode;
    const auto freed = driver::cuMemFreeAsync(pointer, StreamAccess::handle(stream));
    if (!freed.ok()) [[unlikely]]
        free_otherwise(freed, pointer, stream);
}

// Frees memory that its stream cannot free. While a stream is capturing, it cannot free memory that was allocated before the
// capture. Captured work retains the memory that it uses, so only other work can still use this memory, and cuMemFree waits for
// that work. A stream that ended with its context cannot free memory of a pool either, because that memory belongs to no
// context.
void MemoryPool::free_otherwise(Result<driver::CUresult> failed, driver::CUdeviceptr pointer, StreamRef stream) {
    try {
        detail::check_latest(failed);
    } catch (const Error& error) {
        const auto capturing = driver::cuStreamIsCapturing(StreamAccess::handle(stream));
        if (capturing.ok() && capturing.value == driver::CU_STREAM_CAPTURE_STATUS_NONE) throw;
        const ContextGuard context;
        const RelaxedCaptureMode mode;
        const auto freed = driver::cuMemFree(pointer);
        if (!freed.ok())
            throw Error(error, concat("cuMemFree cannot free the memory, either: ", driver::to_string(freed.status)));
    }
}

}  // namespace CUBIND_NAMESPACE::detail
