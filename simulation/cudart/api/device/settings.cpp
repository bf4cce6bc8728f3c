// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/formats.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaDeviceGetLimit(std::size_t* pValue, cudaLimit limit) {
    return call_in_context(cuCtxGetLimit, pValue, limit);
}

cudaError_t sim_cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return call_in_context(cuCtxSetLimit, limit, value);
}

cudaError_t sim_cudaDeviceGetCacheConfig(cudaFuncCache* pCacheConfig) {
    return call_in_context(cuCtxGetCacheConfig, pCacheConfig);
}

cudaError_t sim_cudaDeviceSetCacheConfig(cudaFuncCache cacheConfig) {
    return call_in_context(cuCtxSetCacheConfig, cacheConfig);
}

cudaError_t sim_cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* pConfig) {
    return call_in_context(cuCtxGetSharedMemConfig, pConfig);
}

cudaError_t sim_cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return call_in_context(cuCtxSetSharedMemConfig, config);
}

cudaError_t sim_cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
    return call_in_context(cuCtxGetStreamPriorityRange, leastPriority, greatestPriority);
}

cudaError_t sim_cudaCtxResetPersistingL2Cache() {
    return call_in_context(cuCtxResetPersistingL2Cache);
}

cudaError_t sim_cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                                   cudaFlushGPUDirectRDMAWritesScope scope) {
    return call_in_context(cuFlushGPUDirectRDMAWrites, target, scope);
}

cudaError_t sim_cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* maxWidthInElements, const cudaChannelFormatDesc* fmtDesc,
                                                     int device) {
    ArrayFormat format;
    if (maxWidthInElements == nullptr || fmtDesc == nullptr) return cudaErrorInvalidValue;
    if (!to_array_format(*fmtDesc, format)) return cudaErrorInvalidChannelDescriptor;
    return call(cuDeviceGetTexture1DLinearMaxWidth, maxWidthInElements, format.format, format.channels, device);
}

cudaError_t sim_cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                                    unsigned int count, int device) {
    return call(cuDeviceGetHostAtomicCapabilities, capabilities, operations, count, device);
}

cudaError_t sim_cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                                   unsigned int count, int srcDevice, int dstDevice) {
    return call(cuDeviceGetP2PAtomicCapabilities, capabilities, operations, count, srcDevice, dstDevice);
}

cudaError_t sim_cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
    return call(cuDeviceGetDefaultMemPool, memPool, device);
}

cudaError_t sim_cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
    return call(cuDeviceGetMemPool, memPool, device);
}

cudaError_t sim_cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
    return call(cuDeviceSetMemPool, device, memPool);
}

cudaError_t sim_cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void* value) {
    return call(cuDeviceGetGraphMemAttribute, device, attr, value);
}

cudaError_t sim_cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attr, void* value) {
    return call(cuDeviceSetGraphMemAttribute, device, attr, value);
}

cudaError_t sim_cudaDeviceGraphMemTrim(int device) {
    return call(cuDeviceGraphMemTrim, device);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
