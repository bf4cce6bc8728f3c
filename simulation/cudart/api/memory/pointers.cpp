// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

cudaMemoryType type_of(CUmemorytype type, bool is_managed) noexcept {
    if (is_managed) return cudaMemoryTypeManaged;
    return type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
}

}  // namespace

extern "C" {

// Memory that the driver did not allocate has a host address only.
cudaError_t sim_cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    CUmemorytype type = {};
    int device = 0;
    int is_managed = 0;
    CUdeviceptr on_device = 0;
    void* on_host = nullptr;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* values[] = {&type, &device, &is_managed, &on_device, &on_host};
    constexpr unsigned int count = sizeof names / sizeof *names;
    if (const CUresult status = cuPointerGetAttributes(count, names, values, as<CUdeviceptr>(ptr))) return status_of(status);
    *attributes = {};
    if (type == CUmemorytype{}) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        attributes->hostPointer = const_cast<void*>(ptr);
        return cudaSuccess;
    }
    attributes->type = type_of(type, is_managed != 0);
    attributes->device = device;
    attributes->devicePointer = reinterpret_cast<void*>(on_device);
    attributes->hostPointer = on_host;
    return cudaSuccess;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
