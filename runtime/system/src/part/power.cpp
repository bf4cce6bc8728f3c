// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_commands.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/power.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

unsigned int Power::milliwatts() const {
    return checked(nvml::nvmlDeviceGetPowerUsage(device_));
}

unsigned int Power::limit_milliwatts() const {
    return checked(nvml::nvmlDeviceGetPowerManagementLimit(device_));
}

void Power::set_limit_milliwatts(unsigned int milliwatts) const {
    checked(nvml::nvmlDeviceSetPowerManagementLimit(device_, milliwatts));
}

unsigned int Power::default_limit_milliwatts() const {
    return checked(nvml::nvmlDeviceGetPowerManagementDefaultLimit(device_));
}

unsigned int Power::enforced_limit_milliwatts() const {
    return checked(nvml::nvmlDeviceGetEnforcedPowerLimit(device_));
}

Limits<unsigned int> Power::limits_milliwatts() const {
    const auto [min, max] = checked(nvml::nvmlDeviceGetPowerManagementLimitConstraints(device_));
    return {min, max};
}

unsigned long long Power::total_energy_millijoules() const {
    return checked(nvml::nvmlDeviceGetTotalEnergyConsumption(device_));
}

}  // namespace CUBIND_NAMESPACE::system
