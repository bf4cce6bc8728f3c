// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps) {
    return call(cuMemPoolCreate, memPool, poolProps);
}

cudaError_t sim_cudaMemPoolDestroy(cudaMemPool_t memPool) {
    return call(cuMemPoolDestroy, memPool);
}

cudaError_t sim_cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
    return call(cuMemPoolGetAttribute, memPool, attr, value);
}

cudaError_t sim_cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
    return call(cuMemPoolSetAttribute, memPool, attr, value);
}

cudaError_t sim_cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool, cudaMemLocation* location) {
    return call(cuMemPoolGetAccess, flags, memPool, location);
}

cudaError_t sim_cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc* descList, std::size_t count) {
    return call(cuMemPoolSetAccess, memPool, descList, count);
}

cudaError_t sim_cudaMemPoolTrimTo(cudaMemPool_t memPool, std::size_t minBytesToKeep) {
    return call(cuMemPoolTrimTo, memPool, minBytesToKeep);
}

cudaError_t sim_cudaMemPoolExportToShareableHandle(void* shareableHandle, cudaMemPool_t memPool,
                                                   cudaMemAllocationHandleType handleType, unsigned int flags) {
    return call(cuMemPoolExportToShareableHandle, shareableHandle, memPool, handleType, flags);
}

cudaError_t sim_cudaMemPoolImportFromShareableHandle(cudaMemPool_t* memPool, void* shareableHandle,
                                                     cudaMemAllocationHandleType handleType, unsigned int flags) {
    return call(cuMemPoolImportFromShareableHandle, memPool, shareableHandle, handleType, flags);
}

cudaError_t sim_cudaMemPoolExportPointer(cudaMemPoolPtrExportData* exportData, void* ptr) {
    return call(cuMemPoolExportPointer, exportData, ptr);
}

cudaError_t sim_cudaMemPoolImportPointer(void** ptr, cudaMemPool_t memPool, cudaMemPoolPtrExportData* exportData) {
    return call_in_context(cuMemPoolImportPointer, ptr, memPool, exportData);
}

cudaError_t sim_cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, cudaMemLocation* location, cudaMemAllocationType type) {
    return call(cuMemGetDefaultMemPool, memPool, location, type);
}

cudaError_t sim_cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location, cudaMemAllocationType type) {
    return call(cuMemGetMemPool, memPool, location, type);
}

cudaError_t sim_cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t memPool) {
    return call(cuMemSetMemPool, location, type, memPool);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
