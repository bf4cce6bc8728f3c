// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

cudaError_t allocate(void** out, std::size_t size, unsigned int flags) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (size == 0) {
        *out = nullptr;
        return cudaSuccess;
    }
    return status_of(cuMemHostAlloc(out, size, flags));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaMallocHost(void** ptr, std::size_t size) {
    return allocate(ptr, size, 0);
}

// The flags of both libraries have the same values.
cudaError_t sim_cudaHostAlloc(void** pHost, std::size_t size, unsigned int flags) {
    return allocate(pHost, size, flags);
}

cudaError_t sim_cudaFreeHost(void* ptr) {
    if (const cudaError_t status = bind_context()) return status;
    return ptr == nullptr ? cudaSuccess : status_of(cuMemFreeHost(ptr));
}

cudaError_t sim_cudaHostRegister(void* ptr, std::size_t size, unsigned int flags) {
    return call_in_context(cuMemHostRegister_v2, ptr, size, flags);
}

cudaError_t sim_cudaHostUnregister(void* ptr) {
    return call_in_context(cuMemHostUnregister, ptr);
}

cudaError_t sim_cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
    return call_in_context(cuMemHostGetDevicePointer_v2, pDevice, pHost, flags);
}

cudaError_t sim_cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
    return call_in_context(cuMemHostGetFlags, pFlags, pHost);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
