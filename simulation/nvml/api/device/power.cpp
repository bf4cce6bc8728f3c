// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <chrono>

#include "state/idle_device.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* power) {
    return write_of_device(device, power, idle::milliwatts);
}

nvmlReturn_t sim_nvmlDeviceGetPowerManagementMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
    return write_of_device(device, mode, NVML_FEATURE_ENABLED);
}

nvmlReturn_t sim_nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int* limit) {
    return write_of_device(device, limit, idle::max_limit_milliwatts);
}

nvmlReturn_t sim_nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int* defaultLimit) {
    return write_of_device(device, defaultLimit, idle::max_limit_milliwatts);
}

nvmlReturn_t sim_nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* limit) {
    return write_of_device(device, limit, idle::max_limit_milliwatts);
}

nvmlReturn_t sim_nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int* minLimit,
                                                              unsigned int* maxLimit) {
    return write_of_device(device, minLimit, idle::min_limit_milliwatts, maxLimit, idle::max_limit_milliwatts);
}

// In millijoules since the start of the machine. It grows while the program runs, as on an idle GPU.
nvmlReturn_t sim_nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* energy) {
    using Milliseconds = std::chrono::duration<unsigned long long, std::milli>;
    const auto running = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
    return write_of_device(device, energy, running.count() * idle::milliwatts / 1000);
}

nvmlReturn_t sim_nvmlDeviceGetPowerSource(nvmlDevice_t device, nvmlPowerSource_t* powerSource) {
    return write_of_device(device, powerSource, NVML_POWER_SOURCE_AC);
}

// An idle GPU of a server keeps its highest state.

nvmlReturn_t sim_nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* pState) {
    return write_of_device(device, pState, NVML_PSTATE_0);
}

nvmlReturn_t sim_nvmlDeviceGetPowerState(nvmlDevice_t device, nvmlPstates_t* pState) {
    return write_of_device(device, pState, NVML_PSTATE_0);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
