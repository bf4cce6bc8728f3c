// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>

namespace cubind {

/// The attributes of a device. A value as cheap as the device; each attribute is asked for once in a process.
///
///     device.properties().multiprocessor_count()
class DeviceProperties {
public:
    explicit DeviceProperties(Device device) noexcept : device_(device) {}

    /// Any attribute by its enumerator; 0 for one that the driver does not know (cuDeviceGetAttribute).
    int attribute(driver::CUdevice_attribute which) const;

private:
    Device device_;
};

}  // namespace cubind
