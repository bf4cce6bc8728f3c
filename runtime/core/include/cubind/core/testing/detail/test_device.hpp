// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/memory_resource.hpp>

#include <optional>
#include <string>

/// The calls of DeviceTest that throw. Its header must compile without exceptions.
namespace CUBIND_NAMESPACE::detail {

/// A device that has its defaults before and after a test.
class CUBIND_EXPORT TestDevice {
public:
    /// Resets the device. Returns why it cannot be used, or an empty text.
    [[nodiscard]] std::string begin(int ordinal);
    /// Restores the memory resource, and resets the device. Returns why that is not possible, or an empty text.
    [[nodiscard]] std::string end();

    /// Returns the device, or nothing before begin() has succeeded.
    [[nodiscard]] const std::optional<Device>& device() const noexcept { return device_; }

private:
    std::optional<Device> device_;
    std::optional<MemoryResource> resource_;
};

}  // namespace CUBIND_NAMESPACE::detail
