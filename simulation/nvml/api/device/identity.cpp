// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include "state/names.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

constexpr int major_of(int capability) noexcept {
    return capability / 10;
}

nvmlDeviceArchitecture_t architecture_of(int capability) noexcept {
    switch (major_of(capability)) {
        case 5:
            return NVML_DEVICE_ARCH_MAXWELL;
        case 6:
            return NVML_DEVICE_ARCH_PASCAL;
        case 7:
            if (capability >= 75) return NVML_DEVICE_ARCH_TURING;
            return NVML_DEVICE_ARCH_VOLTA;
        case 8:
            if (capability == 89) return NVML_DEVICE_ARCH_ADA;
            return NVML_DEVICE_ARCH_AMPERE;
        case 9:
            return NVML_DEVICE_ARCH_HOPPER;
        case 10:
        case 11:
        case 12:
            return NVML_DEVICE_ARCH_BLACKWELL;
        default:
            return NVML_DEVICE_ARCH_UNKNOWN;
    }
}

// Units for numbers of 32 bits in a multiprocessor.
unsigned int cores_of_multiprocessor(int capability) noexcept {
    const bool has_64 = capability == 60 || major_of(capability) == 7 || capability == 80;
    return has_64 ? 64 : 128;
}

int capability_of(const DeviceCheck& device) noexcept {
    return 10 * device->major + device->minor;
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
    const Valid<DeviceCheck> found(device);
    return write_text(found->name, name, length);
}

nvmlReturn_t sim_nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
    const Valid<DeviceCheck> found(device);
    return write_text(uuid_text(found.facts), uuid, length);
}

nvmlReturn_t sim_nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned int length) {
    const Valid<DeviceCheck> found(device);
    return write_text(serial_text(found.ordinal), serial, length);
}

nvmlReturn_t sim_nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char* version, unsigned int length) {
    const Valid<DeviceCheck> found(device);
    return write_text("96.00.00.00.01", version, length);
}

nvmlReturn_t sim_nvmlDeviceGetBoardPartNumber(nvmlDevice_t device, char* partNumber, unsigned int length) {
    const Valid<DeviceCheck> found(device);
    return write_text("cubind-simulated", partNumber, length);
}

nvmlReturn_t sim_nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* type) {
    return write_of_device(device, type, NVML_BRAND_NVIDIA);
}

nvmlReturn_t sim_nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* arch) {
    const Valid<DeviceCheck> found(device);
    return write_output(arch, architecture_of(capability_of(found)));
}

nvmlReturn_t sim_nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
    const Valid<DeviceCheck> found(device);
    return write_outputs(major, found->major, minor, found->minor);
}

nvmlReturn_t sim_nvmlDeviceGetNumGpuCores(nvmlDevice_t device, unsigned int* numCores) {
    const Valid<DeviceCheck> found(device);
    const auto multiprocessors = static_cast<unsigned int>(found->multiprocessors);
    return write_output(numCores, multiprocessors * cores_of_multiprocessor(capability_of(found)));
}

nvmlReturn_t sim_nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int* busWidth) {
    const Valid<DeviceCheck> found(device);
    return write_output(busWidth, static_cast<unsigned int>(found->bus_width));
}

// The number of the device's file, /dev/nvidia0 for the first device.
nvmlReturn_t sim_nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* minorNumber) {
    const Valid<DeviceCheck> found(device);
    return write_output(minorNumber, static_cast<unsigned int>(found.ordinal));
}

nvmlReturn_t sim_nvmlDeviceGetModuleId(nvmlDevice_t device, unsigned int* moduleId) {
    const Valid<DeviceCheck> found(device);
    return write_output(moduleId, static_cast<unsigned int>(found.ordinal) + 1);
}

// Each device is a board of its own.
nvmlReturn_t sim_nvmlDeviceGetBoardId(nvmlDevice_t device, unsigned int* boardId) {
    const Valid<DeviceCheck> found(device);
    return write_output(boardId, address_of(found.facts).bus << 8);
}

nvmlReturn_t sim_nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int* multiGpuBool) {
    return write_of_device(device, multiGpuBool, 0);
}

nvmlReturn_t sim_nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int* onSameBoard) {
    const Valid<DeviceCheck> first(device1);
    return write_of_device(device2, onSameBoard, device1 == device2 ? 1 : 0);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
