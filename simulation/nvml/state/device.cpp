// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/device.hpp"

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// A handle is the address of an element. It is never dereferenced, so any value is safe to pass.
constexpr std::size_t max_devices = 255;
constexpr std::size_t bytes_of_handle = 16;
alignas(bytes_of_handle) constinit char places[max_devices * bytes_of_handle] = {};

}  // namespace

nvmlDevice_t handle_of(int ordinal) noexcept {
    return reinterpret_cast<nvmlDevice_t>(&places[static_cast<std::size_t>(ordinal) * bytes_of_handle]);
}

DeviceCheck::DeviceCheck(nvmlDevice_t handle) noexcept {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(places);
    if (offset >= sizeof places || offset % bytes_of_handle != 0) return;
    const int number = static_cast<int>(offset / bytes_of_handle);
    if (number >= read_device(number, &facts)) return;
    ordinal = number;
    status = NVML_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim::management
