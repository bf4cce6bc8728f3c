// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/system/device.hpp>

#include <stdexcept>
#include <string>

/// @file
/// The same GPU in cubind::core and in cubind::system. This header needs both libraries; <cubind/system.hpp> does not include it.
namespace CUBIND_NAMESPACE::system {

#if defined(__cpp_exceptions)

/// Returns the device as NVML sees it, found by its UUID. Throws std::invalid_argument if NVML has no such device, as on a
/// simulated driver.
[[nodiscard]] inline Device to_system_device(cubind::Device device) {
    return Device::from_uuid(device.uuid());
}

/// Returns the device of the CUDA driver, found by its UUID. This initializes the driver. Throws std::invalid_argument if the
/// process cannot use the device, for example because CUDA_VISIBLE_DEVICES hides it.
[[nodiscard]] inline cubind::Device to_cuda_device(Device device) {
    const std::string uuid = device.uuid_without_prefix();
    for (cubind::Device each : cubind::Device::all()) {
        if (each.uuid() == uuid) return each;
    }
    throw std::invalid_argument("the CUDA driver does not list the device with UUID " + uuid +
                                " in this process: check that CUDA_VISIBLE_DEVICES does not hide it");
}

#endif

}  // namespace CUBIND_NAMESPACE::system
