// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/behaviours.hpp>

#include "capture/unsafe_call.hpp"
#include "machine/check.hpp"

namespace cubind::sim {

namespace {

/// A pool by its handle.
struct PoolCheck {
    explicit PoolCheck(CUmemoryPool handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        pool = machine().pools.find(handle);
        if (pool == nullptr) status = CUDA_ERROR_INVALID_VALUE;
    }
    CUresult status;
    std::shared_ptr<Pool> pool;
};

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
    const DeviceCheck device(dev);
    return device.failed() ? device.status : give(pool_out, device->default_pool->handle);
}

CUresult sim_cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    const std::lock_guard lock(device->pool_mutex);
    return give(pool, device->current_pool->handle);
}

CUresult sim_cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || &found->device != device.device) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->pool_mutex);
    device->current_pool = found;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
    if (const CUresult status = check_initialized()) return status;
    if (pool == nullptr || poolProps == nullptr || poolProps->allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (poolProps->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    Device* const device = find_device(poolProps->location.id);
    if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    return give(pool, add_new(machine().pools, *device, false, poolProps->maxSize)->handle);
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
    if (const CUresult status = check_unsafe_call()) return status;
    check.pool->trim(minBytesToKeep);
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace cubind::sim
