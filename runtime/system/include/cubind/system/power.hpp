// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// The power of a device, from Device::power(). cuda.core has no counterpart. Each query throws Error, with
/// NVML_ERROR_NOT_SUPPORTED if the device does not have it.
class CUBIND_EXPORT Power : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns the power of the GPU and its circuits, in milliwatts; on recent GPUs the average of a second
    /// (nvmlDeviceGetPowerUsage).
    [[nodiscard]] unsigned int milliwatts() const;
    /// Returns the limit that an administrator set, in milliwatts (nvmlDeviceGetPowerManagementLimit).
    [[nodiscard]] unsigned int limit_milliwatts() const;
    /// Sets the limit within limits_milliwatts() (nvmlDeviceSetPowerManagementLimit). Needs an administrator. The limit is lost
    /// when the driver is unloaded.
    void set_limit_milliwatts(unsigned int milliwatts) const;
    /// Returns the limit after the driver was loaded, in milliwatts (nvmlDeviceGetPowerManagementDefaultLimit).
    [[nodiscard]] unsigned int default_limit_milliwatts() const;
    /// Returns the least of all limits, which the driver obeys, in milliwatts (nvmlDeviceGetEnforcedPowerLimit).
    [[nodiscard]] unsigned int enforced_limit_milliwatts() const;
    /// Returns the range of limits, in milliwatts (nvmlDeviceGetPowerManagementLimitConstraints).
    [[nodiscard]] Limits<unsigned int> limits_milliwatts() const;
    /// Returns the energy since the driver was loaded, in millijoules (nvmlDeviceGetTotalEnergyConsumption).
    [[nodiscard]] unsigned long long total_energy_millijoules() const;
};

}  // namespace CUBIND_NAMESPACE::system
