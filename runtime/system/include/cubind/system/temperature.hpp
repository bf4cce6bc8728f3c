// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

#include <vector>

namespace CUBIND_NAMESPACE::system {

/// The temperatures of a device, from Device::temperature(), in degrees Celsius. Each query throws Error, with
/// NVML_ERROR_NOT_SUPPORTED if the device does not have it.
class CUBIND_EXPORT Temperature : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns the temperature of the GPU (nvmlDeviceGetTemperatureV; before CUDA 12.8 nvmlDeviceGetTemperature).
    [[nodiscard]] int celsius() const;
    /// Returns the temperature at which the device or its driver acts (nvmlDeviceGetTemperatureThreshold).
    [[nodiscard]] int threshold_celsius(TemperatureThreshold threshold) const;
    /// Returns by how many degrees the temperature may rise before the device slows down (nvmlDeviceGetMarginTemperature, since
    /// CUDA 12.8).
    [[nodiscard]] int margin_celsius() const;
    /// Returns all sensors (nvmlDeviceGetThermalSettings).
    [[nodiscard]] std::vector<ThermalSensor> sensors() const;
};

}  // namespace CUBIND_NAMESPACE::system
