// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.hpp"

namespace cubind::sim {

/// Value of an attribute; false if there is no such attribute. What a simulated device has no opinion on is 0.
bool device_attribute(const Device& device, CUdevice_attribute attribute, int& value) noexcept;

/// The same, of an attribute that there is.
inline int device_attribute(const Device& device, CUdevice_attribute attribute) noexcept {
    int value = 0;
    device_attribute(device, attribute, value);
    return value;
}

}  // namespace cubind::sim
