// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/virtual/kernel_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

template <class Value>
CUresult write(void* data, Value value) {
    std::memcpy(data, &value, sizeof value);
    return CUDA_SUCCESS;
}

// Checks whether kernels of the current context can access the memory.
bool is_accessible(const Allocation& memory) {
    Context* const current = current_context();
    if (memory.kind != MemoryKind::device || current == nullptr) return true;
    return find_access_problem(*current, machine().opened_memory, memory).empty();
}

CUresult write_attribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer, const Allocation& memory) {
    const bool is_mapped = memory.kind == MemoryKind::mapped;
    const bool is_device = memory.kind == MemoryKind::device || is_mapped;
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            return write(data, memory.context);
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            return write(data, memory.kind == MemoryKind::host || memory.kind == MemoryKind::registered ? CU_MEMORYTYPE_HOST
                                                                                                        : CU_MEMORYTYPE_DEVICE);
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            return is_accessible(memory) ? write(data, pointer) : CUDA_ERROR_INVALID_VALUE;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            return is_device ? CUDA_ERROR_INVALID_VALUE : write(data, reinterpret_cast<void*>(pointer));
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            return write(data, memory.sync_memops.load() ? 1u : 0u);
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
            return write(data, memory.id);
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            return write(data, memory.kind == MemoryKind::managed ? 1u : 0u);
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            return write(data, memory.device->ordinal);
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
            return write(data, is_device && !is_mapped && memory.pool == nullptr ? 1u : 0u);
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            return write(data, CUdeviceptr{memory.base});
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
            return write(data, memory.size);
        case CU_POINTER_ATTRIBUTE_MAPPED:
            return write(data, 1u);
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            return write(data, 0ull);
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            return write(data, is_device ? 1u : 0u);
        case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
            return is_mapped ? CUDA_ERROR_INVALID_VALUE : write(data, memory.id);
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return write(data, CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE);
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
            return write(data, memory.pool != nullptr ? memory.pool->handle : CUmemoryPool{});
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

std::size_t size_of(CUpointer_attribute attribute) {
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        case CU_POINTER_ATTRIBUTE_MAPPED:
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return 4;
        default:
            return 8;
    }
}

}  // namespace

extern "C" {

CUresult sim_cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
    if (const CUresult status = check_initialized()) return status;
    const auto found = machine().memory.find(ptr);
    if (data == nullptr || found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_attribute(data, attribute, ptr, *found);
}

// For memory that is not the driver's, all attributes read as zero, and the device ordinal as -2.
CUresult sim_cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr) {
    if (const CUresult status = check_initialized()) return status;
    if (numAttributes == 0 || attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = machine().memory.find(ptr);
    for (unsigned i = 0; i < numAttributes; ++i) {
        if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT || attributes[i] > CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        if (found != nullptr && write_attribute(data[i], attributes[i], ptr, *found) == CUDA_SUCCESS) continue;
        std::memset(data[i], 0, size_of(attributes[i]));
        if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) write(data[i], -2);
    }
    return CUDA_SUCCESS;
}

// CU_POINTER_ATTRIBUTE_SYNC_MEMOPS is stored, but has no effect: copies by synchronous functions are always complete
// when the function returns.
CUresult sim_cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr ptr) {
    const Valid<CurrentCheck> context;
    const auto found = machine().memory.find(ptr);
    const bool can_be_set = attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
    if (value == nullptr || found == nullptr || !can_be_set) return CUDA_ERROR_INVALID_VALUE;
    if (found->kind == MemoryKind::mapped) return CUDA_ERROR_NOT_SUPPORTED;
    found->sync_memops.store(*static_cast<const unsigned*>(value) != 0);
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
