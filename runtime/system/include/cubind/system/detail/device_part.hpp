// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/nvml/types.hpp>

namespace CUBIND_NAMESPACE::system::detail {

/// A group of queries about one device. It owns nothing and is as cheap to copy as the handle of the device.
class DevicePart {
public:
    /// Creates the group of the device with this handle of NVML.
    explicit DevicePart(nvml::nvmlDevice_t device) noexcept : device_(device) {}

protected:
    nvml::nvmlDevice_t device_;
};

}  // namespace CUBIND_NAMESPACE::system::detail
