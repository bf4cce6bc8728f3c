// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// Devices from compute capability 8.0 on can be divided. The simulated ones are not.
bool can_be_divided(const DeviceCheck& device) noexcept {
    return device->major >= 8;
}

nvmlEnableState_t ecc_state(const DeviceCheck& device) noexcept {
    return device->has_ecc ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
}

// Returns the status of a query for the part of a divided GPU. These devices are not divided.
nvmlReturn_t refuse_undivided(nvmlDevice_t device) {
    const Valid<DeviceCheck> found(device);
    return NVML_ERROR_INVALID_ARGUMENT;
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
    const Valid<DeviceCheck> found(device);
    return write_output(mode, static_cast<nvmlComputeMode_t>(found->compute_mode));
}

nvmlReturn_t sim_nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
    return write_of_device(device, mode, NVML_FEATURE_ENABLED);
}

nvmlReturn_t sim_nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t* current, nvmlEnableState_t* pending) {
    const Valid<DeviceCheck> found(device);
    return write_outputs(current, ecc_state(found), pending, ecc_state(found));
}

nvmlReturn_t sim_nvmlDeviceGetDefaultEccMode(nvmlDevice_t device, nvmlEnableState_t* defaultMode) {
    const Valid<DeviceCheck> found(device);
    return write_output(defaultMode, ecc_state(found));
}

nvmlReturn_t sim_nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* currentMode, unsigned int* pendingMode) {
    const Valid<DeviceCheck> found(device);
    if (!can_be_divided(found)) return NVML_ERROR_NOT_SUPPORTED;
    return write_outputs(currentMode, NVML_DEVICE_MIG_DISABLE, pendingMode, NVML_DEVICE_MIG_DISABLE);
}

nvmlReturn_t sim_nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int* isMigDevice) {
    return write_of_device(device, isMigDevice, 0);
}

nvmlReturn_t sim_nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int* count) {
    return write_of_device(device, count, 0);
}

nvmlReturn_t sim_nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int, nvmlDevice_t* migDevice) {
    const DeviceCheck found(device);
    if (found.failed() || migDevice == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    return can_be_divided(found) ? NVML_ERROR_NOT_FOUND : NVML_ERROR_NOT_SUPPORTED;
}

// No device is a part of another one.

nvmlReturn_t sim_nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvmlDevice_t, nvmlDevice_t*) {
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t sim_nvmlDeviceGetGpuInstanceId(nvmlDevice_t device, unsigned int*) {
    return refuse_undivided(device);
}

nvmlReturn_t sim_nvmlDeviceGetComputeInstanceId(nvmlDevice_t device, unsigned int*) {
    return refuse_undivided(device);
}

nvmlReturn_t sim_nvmlDeviceGetDisplayMode(nvmlDevice_t device, nvmlEnableState_t* display) {
    return write_of_device(device, display, NVML_FEATURE_ENABLED);
}

nvmlReturn_t sim_nvmlDeviceGetDisplayActive(nvmlDevice_t device, nvmlEnableState_t* isActive) {
    return write_of_device(device, isActive, NVML_FEATURE_DISABLED);
}

nvmlReturn_t sim_nvmlDeviceGetAccountingMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
    return write_of_device(device, mode, NVML_FEATURE_DISABLED);
}

nvmlReturn_t sim_nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, nvmlGpuVirtualizationMode_t* pVirtualMode) {
    return write_of_device(device, pVirtualMode, NVML_GPU_VIRTUALIZATION_MODE_NONE);
}

// A simulated device has no errors, and changes neither its state nor its clocks, so that no events occur.
nvmlReturn_t sim_nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long* eventTypes) {
    return write_of_device(device, eventTypes, 0);
}

// Linux has no driver models.

nvmlReturn_t sim_nvmlDeviceGetDriverModel(nvmlDevice_t device, nvmlDriverModel_t* current, nvmlDriverModel_t* pending) {
    return refuse_for_device(device, current, pending);
}

nvmlReturn_t sim_nvmlDeviceGetDriverModel_v2(nvmlDevice_t device, nvmlDriverModel_t* current, nvmlDriverModel_t* pending) {
    return refuse_for_device(device, current, pending);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
