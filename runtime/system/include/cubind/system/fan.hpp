// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// One fan of a device, from Device::fan(). Speeds are in percent of the greatest speed and may exceed 100. Setters need the
/// permissions of an administrator. Throws Error, for devices without fans with NVML_ERROR_NOT_SUPPORTED or, as on an H200,
/// NVML_ERROR_INVALID_ARGUMENT.
class CUBIND_EXPORT Fan : detail::DevicePart {
public:
    /// Creates the fan with this index, from 0 to Device::fan_count() - 1; Device::fan() does the same.
    Fan(nvml::nvmlDevice_t device, unsigned int index) noexcept : DevicePart(device), index_(index) {}

    /// Returns the index of the fan.
    [[nodiscard]] unsigned int index() const noexcept { return index_; }

    /// Returns the intended speed in percent (nvmlDeviceGetFanSpeed_v2). It is not measured: a blocked fan does not change it.
    [[nodiscard]] unsigned int speed_percent() const;
    /// Sets the speed and the policy FanPolicy::manual (nvmlDeviceSetFanSpeed_v2). A speed that is too low can damage the device;
    /// call set_default_speed() when you no longer watch the temperature.
    void set_speed_percent(unsigned int percent) const;
    /// Lets the driver control the fan again (nvmlDeviceSetDefaultFanSpeed_v2).
    void set_default_speed() const;
    /// Returns the measured speed in revolutions per minute (nvmlDeviceGetFanSpeedRPM, since CUDA 12.8).
    [[nodiscard]] unsigned int speed_rpm() const;
    /// Returns the speed in percent that the driver wants to reach (nvmlDeviceGetTargetFanSpeed).
    [[nodiscard]] unsigned int target_speed_percent() const;
    /// Returns the range of speeds that set_speed_percent() accepts (nvmlDeviceGetMinMaxFanSpeed).
    [[nodiscard]] Limits<unsigned int> speed_limits_percent() const;
    /// Returns who controls the fan (nvmlDeviceGetFanControlPolicy_v2).
    [[nodiscard]] FanPolicy control_policy() const;
    /// Sets who controls the fan (nvmlDeviceSetFanControlPolicy).
    void set_control_policy(FanPolicy policy) const;

private:
    unsigned int index_;
};

}  // namespace CUBIND_NAMESPACE::system
