// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/driver/device_attributes.hpp>

namespace cubind {

/// The attributes of a device, each by its name. A value as cheap as the device; each attribute is asked for once in a process. What a
/// driver is too old to know is 0 or false: the device cannot do it there.
///
///     device.properties().multiprocessor_count()
class DeviceProperties : public driver::DeviceAttributes<DeviceProperties> {
public:
    explicit DeviceProperties(Device device) noexcept : device_(device) {}

    /// Any attribute by its enumerator (cuDeviceGetAttribute).
    int attribute(driver::CUdevice_attribute which) const;

private:
    Device device_;
};

}  // namespace cubind
