// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"

/// Default pools by location, and access to pools.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// The place of default pools, checked.
struct PlaceCheck {
    PlaceCheck(const CUmemLocation* location, CUmemAllocationType type) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        const bool is_known = type == CU_MEM_ALLOCATION_TYPE_PINNED || type == CU_MEM_ALLOCATION_TYPE_MANAGED;
        if (location == nullptr) {
            status = CUDA_ERROR_INVALID_VALUE;
        } else if (location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) {
            status = CUDA_ERROR_NOT_SUPPORTED;
        } else {
            place = make_place(type, *location);
            status = is_known && exists(place, machine().devices) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        }
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    /// Checks whether the place is the memory of a device.
    bool is_device() const noexcept {
        return place.type == CU_MEM_ALLOCATION_TYPE_PINNED && place.location == CU_MEM_LOCATION_TYPE_DEVICE;
    }

    CUresult status;
    PoolPlace place;
};

}  // namespace

extern "C" {

CUresult sim_cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location, CUmemAllocationType type) {
    const Valid<PlaceCheck> check(location, type);
    if (check.is_device()) return sim_cuDeviceGetDefaultMemPool(pool_out, check.place.id);
    return write_output(pool_out, machine().default_pools.standard(check.place)->handle);
}

CUresult sim_cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    const Valid<PlaceCheck> check(location, type);
    if (check.is_device()) return sim_cuDeviceGetMemPool(pool, check.place.id);
    return write_output(pool, machine().default_pools.current(check.place)->handle);
}

CUresult sim_cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
    const Valid<PlaceCheck> check(location, type);
    if (check.is_device()) return sim_cuDeviceSetMemPool(check.place.id, pool);
    if (const CUresult status = check_unsafe_call()) return status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || found->place != check.place || found->is_imported()) return CUDA_ERROR_INVALID_VALUE;
    machine().default_pools.set_current(found);
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location) {
    const Valid<PlaceCheck> check(location, CU_MEM_ALLOCATION_TYPE_PINNED);
    const bool is_host = check.place.location == CU_MEM_LOCATION_TYPE_HOST;
    if (!check.is_device() && !is_host) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto pool = machine().pools.find(memPool);
    if (pool != nullptr && is_host) {
        const bool is_device_memory = pool->kind == MemoryKind::device;
        return write_output(flags, is_device_memory ? CU_MEM_ACCESS_FLAGS_PROT_NONE : CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }
    return pool != nullptr ? write_output(flags, pool->access(*find_device(check.place.id))) : CUDA_ERROR_INVALID_VALUE;
}

// The pool's own device always has access. Other devices have read and write access, or none.
CUresult sim_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, std::size_t count) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || map == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (const CUmemAccessDesc* each = map; each != map + count; ++each) {
        const bool is_device = each->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
        const Device* const device = is_device ? find_device(each->location.id) : nullptr;
        if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
        if (each->flags == CU_MEM_ACCESS_FLAGS_PROT_READ) return CUDA_ERROR_NOT_SUPPORTED;
        const bool is_none = each->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE;
        if (!is_none && each->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return CUDA_ERROR_INVALID_VALUE;
        if (is_none && found->is_on(*device)) return CUDA_ERROR_INVALID_DEVICE;
    }
    for (const CUmemAccessDesc* each = map; each != map + count; ++each) {
        found->set_access(*find_device(each->location.id), each->flags);
    }
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
