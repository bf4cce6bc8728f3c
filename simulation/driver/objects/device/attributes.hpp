// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/device/device.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Checks whether the driver of a release has the attribute.
bool is_device_attribute(driver::CUdevice_attribute attribute, int release) noexcept;

/// Returns an attribute. Attributes that are not simulated read as 0.
int device_attribute(const Device& device, driver::CUdevice_attribute attribute) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
