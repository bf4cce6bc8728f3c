// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch_config.hpp>
#include <cubind/core/stream.hpp>

#include <string>

#include "device/device_table.hpp"

namespace cubind::detail {

/// A launch that the driver did not want, for finding out why. Each look gives a sentence with value, limit and what to do, or nothing
/// where all is well. They throw Error where the driver does not answer.
class RefusedLaunch {
public:
    RefusedLaunch(StreamRef stream, const LaunchConfig& config, driver::CUkernel kernel);

    /// Kernel and shape in a sentence.
    std::string description() const;

    std::string extents() const;          ///< of grid and block, against the device's limits
    std::string threads() const;          ///< of a block, against the device's and the kernel's limit
    std::string shared_memory() const;    ///< against what the device and the kernel's own leave
    std::string cluster() const;          ///< its size, the grid's, and whether the device has clusters
    std::string cooperation() const;      ///< whether all blocks fit at once
    std::string newer_attribute() const;  ///< that the driver is too old for

private:
    int of_device(driver::CUdevice_attribute which) const { return device_.attribute(which); }
    int of_kernel(driver::CUfunction_attribute which) const;
    std::string cluster_shape(const Dim3& cluster) const;

    StreamRef stream_;
    const LaunchConfig& config_;
    driver::CUkernel kernel_;
    ContextRef context_;
    DeviceEntry& device_;
};

/// The release, as 1000 * major + 10 * minor, whose driver is the first to take the attribute.
int first_release_of(driver::CUlaunchAttributeID attribute) noexcept;

}  // namespace cubind::detail
