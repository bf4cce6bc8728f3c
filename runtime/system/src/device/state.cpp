// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The state of a device: performance, modes, displays.
#include <cubind/nvml/affinity.hpp>
#include <cubind/nvml/device_commands.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/nvml/loading.hpp>
#include <cubind/system/device.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;
using detail::is_on;

PerformanceState Device::performance_state() const {
    return static_cast<PerformanceState>(checked(nvml::nvmlDeviceGetPerformanceState(handle_)));
}

std::vector<PerformanceState> Device::supported_performance_states() const {
    nvml::nvmlPstates_t found[nvml::NVML_MAX_GPU_PERF_PSTATES];
    for (nvml::nvmlPstates_t& each : found) each = nvml::NVML_PSTATE_UNKNOWN;
    checked(nvml::nvmlDeviceGetSupportedPerformanceStates(handle_, found, sizeof found));
    std::vector<PerformanceState> states;
    for (const nvml::nvmlPstates_t each : found) {
        if (each != nvml::NVML_PSTATE_UNKNOWN) states.push_back(static_cast<PerformanceState>(each));
    }
    return states;
}

DynamicPerformanceStates Device::dynamic_performance_states() const {
    const nvml::nvmlGpuDynamicPstatesInfo_t info = checked(nvml::nvmlDeviceGetDynamicPstatesInfo(handle_));
    const auto domain = [&](int index) -> DynamicUtilization {
        const auto& found = info.utilization[index];
        if (found.bIsPresent == 0) return {};
        return {true, found.percentage, found.incThreshold, found.decThreshold};
    };
    return {domain(0), domain(1), domain(2), domain(3)};  // in the order of NVML's enumeration of domains
}

Flags<ClockEventReason> Device::current_clock_event_reasons() const {
    if (!nvml::has(nvml::nvmlDeviceGetCurrentClocksEventReasons)) {
        return Flags<ClockEventReason>(checked(nvml::nvmlDeviceGetCurrentClocksThrottleReasons(handle_)));
    }
    return Flags<ClockEventReason>(checked(nvml::nvmlDeviceGetCurrentClocksEventReasons(handle_)));
}

Flags<ClockEventReason> Device::supported_clock_event_reasons() const {
    if (!nvml::has(nvml::nvmlDeviceGetSupportedClocksEventReasons)) {
        return Flags<ClockEventReason>(checked(nvml::nvmlDeviceGetSupportedClocksThrottleReasons(handle_)));
    }
    return Flags<ClockEventReason>(checked(nvml::nvmlDeviceGetSupportedClocksEventReasons(handle_)));
}

DefaultedSwitch Device::auto_boosted_clocks() const {
    const auto [current, by_default] = checked(nvml::nvmlDeviceGetAutoBoostedClocksEnabled(handle_));
    return {is_on(current), is_on(by_default)};
}

ComputeMode Device::compute_mode() const {
    return static_cast<ComputeMode>(checked(nvml::nvmlDeviceGetComputeMode(handle_)));
}

void Device::set_compute_mode(ComputeMode mode) const {
    checked(nvml::nvmlDeviceSetComputeMode(handle_, static_cast<nvml::nvmlComputeMode_t>(mode)));
}

bool Device::is_persistence_mode_enabled() const {
    return is_on(checked(nvml::nvmlDeviceGetPersistenceMode(handle_)));
}

void Device::set_persistence_mode_enabled(bool enabled) const {
    checked(nvml::nvmlDeviceSetPersistenceMode(handle_, detail::state_of(enabled)));
}

bool Device::is_display_connected() const {
    return is_on(checked(nvml::nvmlDeviceGetDisplayMode(handle_)));
}

bool Device::is_display_active() const {
    return is_on(checked(nvml::nvmlDeviceGetDisplayActive(handle_)));
}

bool Device::is_c2c_enabled() const {
    return checked(nvml::nvmlDeviceGetC2cModeInfoV(handle_)).isC2cEnabled != 0;
}

AddressingMode Device::addressing_mode() const {
    return static_cast<AddressingMode>(
        checked(nvml::nvmlDeviceGetAddressingMode(handle_, nvml::nvmlDeviceAddressingMode_t{})).value);
}

RepairStatus Device::repair_status() const {
    const nvml::nvmlRepairStatus_t status = checked(nvml::nvmlDeviceGetRepairStatus(handle_, nvml::nvmlRepairStatus_t{}));
    return {status.bChannelRepairPending != 0, status.bTpcRepairPending != 0};
}

CoolerInfo Device::cooler() const {
    const nvml::nvmlCoolerInfo_t info = checked(nvml::nvmlDeviceGetCoolerInfo(handle_, nvml::nvmlCoolerInfo_t{}));
    return {static_cast<CoolerControl>(info.signalType), static_cast<CoolerTarget>(info.target)};
}

}  // namespace CUBIND_NAMESPACE::system
