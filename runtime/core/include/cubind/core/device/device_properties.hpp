// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/driver/device_attributes.hpp>

namespace CUBIND_NAMESPACE {

/// The attributes of a device, each as a function with its name. The object is as cheap to copy as the device. Each attribute
/// is queried once per process. An attribute that the installed driver does not support reads as 0 or false. Any thread may use
/// it.
///
///     device.properties().multiprocessor_count()
class CUBIND_EXPORT DeviceProperties : public driver::DeviceAttributes<DeviceProperties> {
public:
    /// Creates the properties of the device without querying any.
    explicit DeviceProperties(Device device) noexcept : device_(device) {}

    /// Returns the attribute with this enumerator (cuDeviceGetAttribute).
    [[nodiscard]] int attribute(driver::CUdevice_attribute which) const;

private:
    Device device_;
};

}  // namespace CUBIND_NAMESPACE
