// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/free_memory.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/memory/allocate.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuMemAlloc_v2(CUdeviceptr* dptr, std::size_t bytesize) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    if (dptr == nullptr || bytesize == 0) return CUDA_ERROR_INVALID_VALUE;
    const NewMemory memory = allocate(MemoryKind::device, *context, bytesize, 0);
    return memory.status != CUDA_SUCCESS ? memory.status : write_output(dptr, CUdeviceptr{memory.allocation->base});
}

CUresult sim_cuMemAllocPitch_v2(CUdeviceptr* dptr, std::size_t* pPitch, std::size_t WidthInBytes, std::size_t Height,
                                unsigned int ElementSizeBytes) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    const bool is_valid_element_size = ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16;
    if (dptr == nullptr || pPitch == nullptr || WidthInBytes == 0 || Height == 0 || !is_valid_element_size)
        return CUDA_ERROR_INVALID_VALUE;
    std::size_t pitch = 0;
    std::size_t bytes = 0;
    if (__builtin_add_overflow(WidthInBytes, 511, &pitch)) return CUDA_ERROR_INVALID_VALUE;
    pitch = pitch / 512 * 512;
    if (__builtin_mul_overflow(pitch, Height, &bytes)) return CUDA_ERROR_INVALID_VALUE;
    const CUresult status = sim_cuMemAlloc_v2(dptr, bytes);
    if (status == CUDA_SUCCESS) *pPitch = pitch;
    return status;
}

CUresult sim_cuMemFree_v2(CUdeviceptr dptr) {
    if (dptr == 0) {
        if (const CUresult status = check_initialized()) return status;
        const Context* const context = current_context();
        if (context != nullptr && context->device.fault() != CUDA_SUCCESS) return context->device.fault();
        return check_unsafe_call();
    }
    return free_memory(dptr, [](const Allocation& each) {
        const bool is_freeable = each.kind == MemoryKind::device || each.kind == MemoryKind::managed || each.pool != nullptr;
        return is_freeable && !each.is_being_freed && !each.is_module_variable && !each.is_kernel_heap;
    });
}

CUresult sim_cuMemAllocManaged(CUdeviceptr* dptr, std::size_t bytesize, unsigned int flags) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    const bool are_flags_valid = flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST;
    if (dptr == nullptr || bytesize == 0 || !are_flags_valid) return CUDA_ERROR_INVALID_VALUE;
    const NewMemory memory = allocate(MemoryKind::managed, *context, bytesize, flags);
    return memory.status != CUDA_SUCCESS ? memory.status : write_output(dptr, CUdeviceptr{memory.allocation->base});
}

CUresult sim_cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    const Valid<CurrentCheck> context;
    if (free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *total = context->device.memory;
    *free = context->device.memory - context->device.used_bytes();
    return CUDA_SUCCESS;
}

CUresult sim_cuMemGetAddressRange_v2(CUdeviceptr* pbase, std::size_t* psize, CUdeviceptr dptr) {
    const Valid<CurrentCheck> context;
    const auto found = machine().memory.find(dptr);
    if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
    if (found->mapping != nullptr && !found->mapping->allows_some_device(false)) return CUDA_ERROR_NOT_FOUND;
    if (pbase != nullptr) *pbase = found->base;
    if (psize != nullptr) *psize = found->size;
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
