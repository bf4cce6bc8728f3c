// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Reads an attribute. Returns false if the attribute does not exist. Attributes that are not simulated read as 0.
bool device_attribute(const Device& device, CUdevice_attribute attribute, int& value) noexcept;

/// Returns an attribute that is known to exist.
inline int device_attribute(const Device& device, CUdevice_attribute attribute) noexcept {
    int value = 0;
    device_attribute(device, attribute, value);
    return value;
}

}  // namespace CUBIND_NAMESPACE::sim
