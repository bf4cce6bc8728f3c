// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "capture/unsafe_call.hpp"
#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A pool, found by its handle. Fails if a capture forbids the call.
struct PoolCheck {
    explicit PoolCheck(CUmemoryPool handle) : status(check_initialized()) {
        if (status == CUDA_SUCCESS) status = check_unsafe_call();
        if (status != CUDA_SUCCESS) return;
        pool = machine().pools.find(handle);
        if (pool == nullptr) status = CUDA_ERROR_INVALID_VALUE;
    }
    CUresult status;
    std::shared_ptr<Pool> pool;
};

/// Determines the kind of a new pool's memory, if the machine's release supports it.
CUresult kind_of(const CUmemPoolProps& properties, MemoryKind& kind) {
    constexpr int numa_release = 12090;
    constexpr int host_release = 13000;
    const int release = machine().release;
    const CUmemLocation& place = properties.location;
    if (properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED) {
        kind = MemoryKind::managed;
        return release >= host_release ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
    if (properties.allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    kind = place.type == CU_MEM_LOCATION_TYPE_DEVICE ? MemoryKind::device : MemoryKind::host;
    switch (place.type) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            return find_device(place.id) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
        case CU_MEM_LOCATION_TYPE_HOST:
            return release >= host_release ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
            if (release < numa_release) return CUDA_ERROR_NOT_SUPPORTED;
            return place.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        default:
            return CUDA_ERROR_NOT_SUPPORTED;
    }
}

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
    const DeviceCheck device(dev);
    return device.failed() ? device.status : write_output(pool_out, device->default_pool->handle);
}

CUresult sim_cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    const std::lock_guard lock(device->pool_mutex);
    return write_output(pool, device->current_pool->handle);
}

CUresult sim_cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || !found->is_on(*device)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->pool_mutex);
    device->current_pool = found;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    if (pool == nullptr || poolProps == nullptr) return CUDA_ERROR_INVALID_VALUE;
    MemoryKind kind;
    if (const CUresult status = kind_of(*poolProps, kind)) return status;
    Device& device = *machine().devices[kind == MemoryKind::device ? static_cast<std::size_t>(poolProps->location.id) : 0];
    return write_output(pool, add_new(machine().pools, device, false, poolProps->maxSize, kind)->handle);
}

CUresult sim_cuMemPoolDestroy(CUmemoryPool pool) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    if (check.pool->is_default || machine().pools.remove(pool) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Device& device = check.pool->device;
    const std::lock_guard lock(device.pool_mutex);
    if (device.current_pool == check.pool) device.current_pool = device.default_pool;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    return value != nullptr ? check.pool->get(attr, value) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    return value != nullptr ? check.pool->set(attr, value) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemPoolTrimTo(CUmemoryPool pool, std::size_t minBytesToKeep) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    check.pool->trim(minBytesToKeep);
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
