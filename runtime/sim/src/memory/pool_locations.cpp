// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "capture/unsafe_call.hpp"
#include "machine/check.hpp"

/// Default pools by location, and access to pools. Only devices have default pools here.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// The device at a location.
struct LocationCheck {
    LocationCheck(const CUmemLocation* location, CUmemAllocationType type) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        if (location == nullptr || type != CU_MEM_ALLOCATION_TYPE_PINNED) {
            status = type == CU_MEM_ALLOCATION_TYPE_MANAGED ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
        } else if (location->type != CU_MEM_LOCATION_TYPE_DEVICE) {
            status = location->type == CU_MEM_LOCATION_TYPE_HOST ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
        } else {
            device = find_device(location->id);
            if (device == nullptr) status = CUDA_ERROR_INVALID_VALUE;
        }
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }

    CUresult status;
    Device* device = nullptr;
};

}  // namespace

extern "C" {

CUresult sim_cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location, CUmemAllocationType type) {
    const LocationCheck check(location, type);
    return check.failed() ? check.status : sim_cuDeviceGetDefaultMemPool(pool_out, check.device->ordinal);
}

CUresult sim_cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    const LocationCheck check(location, type);
    return check.failed() ? check.status : sim_cuDeviceGetMemPool(pool, check.device->ordinal);
}

CUresult sim_cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
    const LocationCheck check(location, type);
    return check.failed() ? check.status : sim_cuDeviceSetMemPool(check.device->ordinal, pool);
}

CUresult sim_cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location) {
    const LocationCheck check(location, CU_MEM_ALLOCATION_TYPE_PINNED);
    if (check.failed()) return check.status;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto pool = machine().pools.find(memPool);
    return pool != nullptr ? write_output(flags, pool->access(*check.device)) : CUDA_ERROR_INVALID_VALUE;
}

// The pool's own device always has access. Other devices have read and write access, or none.
CUresult sim_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, std::size_t count) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto found = machine().pools.find(pool);
    if (found == nullptr || map == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
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
