// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include "state/idle_device.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensorType, unsigned int* temp) {
    const Valid<DeviceCheck> found(device);
    return sensorType == NVML_TEMPERATURE_GPU ? write_output(temp, idle::celsius) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t sim_nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t* temperature) {
    const DeviceCheck found(device);
    if (const nvmlReturn_t status = check_version(found, temperature, nvmlTemperature_v1)) return status;
    if (temperature->sensorType != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
    temperature->temperature = int{idle::celsius};
    return NVML_SUCCESS;
}

nvmlReturn_t sim_nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_t* marginTempInfo) {
    const DeviceCheck found(device);
    if (const nvmlReturn_t status = check_version(found, marginTempInfo, nvmlMarginTemperature_v1)) return status;
    marginTempInfo->marginTemperature = int{idle::max_celsius - idle::celsius};
    return NVML_SUCCESS;
}

nvmlReturn_t sim_nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, nvmlTemperatureThresholds_t thresholdType,
                                                   unsigned int* temp) {
    const Valid<DeviceCheck> found(device);
    switch (thresholdType) {
        case NVML_TEMPERATURE_THRESHOLD_SHUTDOWN:
            return write_output(temp, idle::shutdown_celsius);
        case NVML_TEMPERATURE_THRESHOLD_SLOWDOWN:
            return write_output(temp, idle::slowdown_celsius);
        case NVML_TEMPERATURE_THRESHOLD_MEM_MAX:
            return write_output(temp, idle::max_memory_celsius);
        case NVML_TEMPERATURE_THRESHOLD_GPU_MAX:
            return write_output(temp, idle::max_celsius);
        default:
            return thresholdType < NVML_TEMPERATURE_THRESHOLD_COUNT ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    }
}

// The fans of a server cool all of its devices, and do not belong to any of them.

nvmlReturn_t sim_nvmlDeviceGetNumFans(nvmlDevice_t device, unsigned int* numFans) {
    return write_of_device(device, numFans, 0);
}

nvmlReturn_t sim_nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int* speed) {
    return refuse_for_device(device, speed);
}

nvmlReturn_t sim_nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int, unsigned int*) {
    const Valid<DeviceCheck> found(device);
    return NVML_ERROR_INVALID_ARGUMENT;  // no fan has this number
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
