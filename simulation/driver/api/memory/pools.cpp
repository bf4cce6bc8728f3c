// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"

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

// Returns the status of a failed check for functions that report an invalid ordinal as CUDA_ERROR_INVALID_VALUE.
CUresult value_status(const DeviceCheck& device) noexcept {
    return device.status == CUDA_ERROR_INVALID_DEVICE ? CUDA_ERROR_INVALID_VALUE : device.status;
}

// Returns whether the simulated release has the attribute.
bool has_attribute(CUmemPool_attribute attribute) noexcept {
    constexpr int first_release = 12000;
    constexpr int properties_release = 13020;
    constexpr int domain_release = 13040;
    const int since = attribute < CU_MEMPOOL_ATTR_ALLOCATION_TYPE      ? first_release
                      : attribute < CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID ? properties_release
                                                                       : domain_release;
    return machine().release >= since;
}

// Checks the properties of a new pool.
CUresult check_properties(const CUmemPoolProps& properties) {
    constexpr int numa_release = 12090;
    constexpr int host_release = 13000;
    constexpr unsigned shareable = unsigned{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR} | CU_MEM_HANDLE_TYPE_FABRIC;
    const int release = machine().release;
    const bool is_managed = properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (!is_managed && properties.allocType != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
    if (is_managed && release < host_release) return CUDA_ERROR_INVALID_VALUE;
    const CUmemLocationType location = properties.location.type;
    if (location == CU_MEM_LOCATION_TYPE_HOST && release < host_release) return CUDA_ERROR_NOT_SUPPORTED;
    if (location == CU_MEM_LOCATION_TYPE_HOST_NUMA && release < numa_release) return CUDA_ERROR_NOT_SUPPORTED;
    // Managed memory and memory at CU_MEM_LOCATION_TYPE_HOST cannot be shared. Managed memory has no limit.
    const bool is_shared = properties.handleTypes != CU_MEM_HANDLE_TYPE_NONE;
    if (is_shared && (is_managed || location == CU_MEM_LOCATION_TYPE_HOST)) return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned{properties.handleTypes} & ~shareable) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (is_managed && properties.maxSize != 0) return CUDA_ERROR_INVALID_VALUE;
    return exists(make_place(properties.allocType, properties.location), machine().devices) ? CUDA_SUCCESS
                                                                                            : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    return write_output(pool_out, device->default_pool->handle);
}

CUresult sim_cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return value_status(device);
    const std::lock_guard lock(device->pool_mutex);
    return write_output(pool, device->current_pool->handle);
}

CUresult sim_cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
    const DeviceCheck device(dev);
    if (device.failed()) return value_status(device);
    if (const CUresult status = check_unsafe_call()) return status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || !found->is_at(*device) || found->is_imported()) return CUDA_ERROR_INVALID_VALUE;
    if (found->kind == MemoryKind::managed) return machine().default_pools.set_current(found), CUDA_SUCCESS;
    const std::lock_guard lock(device->pool_mutex);
    device->current_pool = found;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    if (pool == nullptr || poolProps == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = check_properties(*poolProps)) return status;
    const PoolPlace place = make_place(poolProps->allocType, poolProps->location);
    std::shared_ptr<PoolFile> file;
    if ((poolProps->handleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) {
        file = PoolFile::create(place);
        if (file == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    }
    Device& device = device_at(place, machine().devices);
    return write_output(
        pool,
        add_new(machine().pools, place, device, false, poolProps->maxSize, std::move(file), poolProps->handleTypes)->handle);
}

CUresult sim_cuMemPoolDestroy(CUmemoryPool pool) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    if (check.pool->is_default || machine().pools.remove(pool) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    machine().default_pools.remove(*check.pool);
    Device& device = check.pool->device;
    const std::lock_guard lock(device.pool_mutex);
    if (device.current_pool == check.pool) device.current_pool = device.default_pool;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
    const PoolCheck check(pool);
    if (check.status != CUDA_SUCCESS) return check.status;
    return value != nullptr && has_attribute(attr) ? check.pool->get(attr, value) : CUDA_ERROR_INVALID_VALUE;
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
