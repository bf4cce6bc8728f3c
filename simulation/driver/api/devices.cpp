// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <simulation/functions.hpp>
#include <string>

#include "machine/check.hpp"
#include "machine/machine.hpp"
#include "objects/device/attributes.hpp"
#include "objects/texture/descriptors.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Copies as many characters as fit, and terminates them with NUL.
CUresult write_string(const std::string& text, char* out, int length) {
    if (out == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t count = std::min(text.size(), static_cast<std::size_t>(length) - 1);
    std::memcpy(out, text.data(), count);
    out[count] = '\0';
    return CUDA_SUCCESS;
}

// Checks whether a text is DOMAIN:BUS:DEVICE.FUNCTION, BUS:DEVICE.FUNCTION or DOMAIN:BUS:DEVICE, in hexadecimal digits.
bool is_bus_id(const char* text) {
    unsigned part = 0;
    return std::sscanf(text, "%x:%x:%x.%x", &part, &part, &part, &part) >= 3 ||
           std::sscanf(text, "%x:%x.%x", &part, &part, &part) == 3;
}

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetCount(int* count) {
    if (const CUresult status = check_initialized()) return status;
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = static_cast<int>(machine().devices.size());
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGet(CUdevice* device, int ordinal) {
    if (const CUresult status = check_initialized()) return status;
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (find_device(ordinal) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetName(char* name, int len, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    return write_string(device->name(), name, len);
}

CUresult sim_cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    return write_output(uuid, device->uuid());
}

CUresult sim_cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
    return sim_cuDeviceGetUuid_v2(uuid, dev);
}

CUresult sim_cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    return write_output(bytes, device->memory);
}

CUresult sim_cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    if (!is_device_attribute(attrib, machine().release)) return CUDA_ERROR_INVALID_VALUE;
    return write_output(pi, device_attribute(*device, attrib));
}

CUresult sim_cuDeviceGetTexture1DLinearMaxWidth(std::size_t* maxWidthInElements, CUarray_format format, unsigned numChannels,
                                                CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    const auto element = element_of(format, numChannels);
    if (maxWidthInElements == nullptr || !element || element->side != 1) return CUDA_ERROR_INVALID_VALUE;
    return write_output(maxWidthInElements, max_linear_bytes / element->bytes);
}

CUresult sim_cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *major = device->major;
    *minor = device->minor;
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    const std::string text = device->pci_bus_id();
    const bool is_long_enough = len > 0 && static_cast<std::size_t>(len) > text.size();
    return is_long_enough ? write_string(text, pciBusId, len) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
    if (const CUresult status = check_initialized()) return status;
    if (dev == nullptr || pciBusId == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (const auto& device : machine().devices) {
        if (device->pci_bus_id() == pciBusId) return write_output(dev, device->ordinal);
    }
    return is_bus_id(pciBusId) ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
}

// The simulated devices write nothing that a flush must wait for.
CUresult sim_cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope) {
    const Valid<CurrentCheck> context;
    const bool is_valid =
        target == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX &&
        (scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER || scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES);
    return is_valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
