// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/idle_device.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

nvmlReturn_t write_no_use(nvmlDevice_t device, unsigned int* utilization, unsigned int* period) {
    return write_of_device(device, utilization, 0, period, idle::sampling_microseconds);
}

}  // namespace

extern "C" {

// The time of simulated kernels is that of the processor, so a device is never busy.

nvmlReturn_t sim_nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
    return write_of_device(device, utilization, {.gpu = 0, .memory = 0});
}

nvmlReturn_t sim_nvmlDeviceGetEncoderUtilization(nvmlDevice_t device, unsigned int* utilization, unsigned int* samplingPeriodUs) {
    return write_no_use(device, utilization, samplingPeriodUs);
}

nvmlReturn_t sim_nvmlDeviceGetDecoderUtilization(nvmlDevice_t device, unsigned int* utilization, unsigned int* samplingPeriodUs) {
    return write_no_use(device, utilization, samplingPeriodUs);
}

nvmlReturn_t sim_nvmlDeviceGetJpgUtilization(nvmlDevice_t device, unsigned int* utilization, unsigned int* samplingPeriodUs) {
    return write_no_use(device, utilization, samplingPeriodUs);
}

nvmlReturn_t sim_nvmlDeviceGetOfaUtilization(nvmlDevice_t device, unsigned int* utilization, unsigned int* samplingPeriodUs) {
    return write_no_use(device, utilization, samplingPeriodUs);
}

// No process has been busy since any time.
nvmlReturn_t sim_nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t*,
                                                 unsigned int* processSamplesCount, unsigned long long) {
    const nvmlReturn_t status = write_of_device(device, processSamplesCount, 0);
    return status == NVML_SUCCESS ? NVML_ERROR_NOT_FOUND : status;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
