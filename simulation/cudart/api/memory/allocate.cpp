// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

constexpr unsigned int pitch_element = 4;

// The runtime library returns a null pointer for an empty allocation.
template <class... Parameters, class... Arguments>
cudaError_t allocate(CUresult (*function)(CUdeviceptr*, std::size_t, Parameters...), void** out, std::size_t size,
                     Arguments... arguments) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (size == 0) {
        *out = nullptr;
        return cudaSuccess;
    }
    return status_of(function(as<CUdeviceptr*>(out), size, arguments...));
}

cudaError_t allocate_pitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
    if (out == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (width == 0 || height == 0) {
        *out = nullptr;
        *pitch = 0;
        return cudaSuccess;
    }
    return status_of(cuMemAllocPitch_v2(as<CUdeviceptr*>(out), pitch, width, height, pitch_element));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMalloc(void** devPtr, std::size_t size) {
    return allocate(cuMemAlloc_v2, devPtr, size);
}

cudaError_t sim_cudaMallocPitch(void** devPtr, std::size_t* pitch, std::size_t width, std::size_t height) {
    return allocate_pitch(devPtr, pitch, width, height);
}

cudaError_t sim_cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
    if (pitchedDevPtr == nullptr) return cudaErrorInvalidValue;
    cudaPitchedPtr result = {nullptr, 0, extent.width, extent.height};
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
    const cudaError_t status = allocate_pitch(&result.ptr, &result.pitch, extent.width, rows);
    if (status == cudaSuccess) *pitchedDevPtr = result;
    return status;
}

cudaError_t sim_cudaFree(void* devPtr) {
    return call_in_context(cuMemFree_v2, devPtr);
}

cudaError_t sim_cudaMallocManaged(void** devPtr, std::size_t size, unsigned int flags) {
    return allocate(cuMemAllocManaged, devPtr, size, flags);
}

cudaError_t sim_cudaMallocAsync(void** devPtr, std::size_t size, cudaStream_t hStream) {
    return call_in_context(cuMemAllocAsync, devPtr, size, driver_stream(hStream));
}

cudaError_t sim_cudaMallocFromPoolAsync(void** ptr, std::size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
    return call_in_context(cuMemAllocFromPoolAsync, ptr, size, memPool, driver_stream(stream));
}

cudaError_t sim_cudaFreeAsync(void* devPtr, cudaStream_t hStream) {
    return call_in_context(cuMemFreeAsync, devPtr, driver_stream(hStream));
}

cudaError_t sim_cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call_in_context(cuMemGetInfo_v2, free, total);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
