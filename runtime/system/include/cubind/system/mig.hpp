// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

#include <vector>

namespace CUBIND_NAMESPACE::system {

class Device;

/// The division of a GPU into parts (MIG), from Device::mig(). A part is a Device, too. Throws Error, with
/// NVML_ERROR_NOT_SUPPORTED if the device cannot be divided, except where a member states otherwise.
class CUBIND_EXPORT Mig : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns whether the device is a part of a GPU (nvmlDeviceIsMigDeviceHandle). Works on all devices.
    [[nodiscard]] bool is_mig_device() const;
    /// Returns whether the GPU is divided, and whether it will be after a restart of the device (nvmlDeviceGetMigMode).
    [[nodiscard]] PendingSwitch mode() const;
    /// Switches the division on or off (nvmlDeviceSetMigMode). Needs an administrator and a device that no process uses. Throws
    /// Error also if the driver accepted the mode but could not activate it; mode() then shows it as pending.
    void set_enabled(bool enabled) const;
    /// Returns the greatest number of parts; 0 if the GPU cannot be divided (nvmlDeviceGetMaxMigDeviceCount).
    [[nodiscard]] unsigned int max_device_count() const;
    /// Returns the part with this index. Throws Error with NVML_ERROR_NOT_FOUND if there is none
    /// (nvmlDeviceGetMigDeviceHandleByIndex).
    [[nodiscard]] Device device(unsigned int index) const;
    /// Returns the parts that exist; none if the GPU is not divided (nvmlDeviceGetMigDeviceHandleByIndex).
    [[nodiscard]] std::vector<Device> devices() const;
    /// Returns the GPU of this part (nvmlDeviceGetDeviceHandleFromMigDeviceHandle).
    [[nodiscard]] Device parent() const;
    /// Returns the number of this part's GPU instance (nvmlDeviceGetGpuInstanceId).
    [[nodiscard]] unsigned int gpu_instance_id() const;
    /// Returns the number of this part's compute instance (nvmlDeviceGetComputeInstanceId).
    [[nodiscard]] unsigned int compute_instance_id() const;
};

}  // namespace CUBIND_NAMESPACE::system
