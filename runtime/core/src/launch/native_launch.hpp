// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/stream/stream.hpp>

namespace CUBIND_NAMESPACE::detail {

/// A LaunchConfig in the driver's form. The attributes are stored on the stack; only attributes that are set are written.
class NativeLaunch {
public:
    /// The number of attributes that a LaunchConfig can set. native_launch.cpp compares it with its list of attributes.
    static constexpr unsigned int max_attributes = 16;

    /// Converts the config. LaunchConfig::shared_memory_size must fit into 32 bits. Throws std::invalid_argument for an event
    /// that was moved from.
    NativeLaunch(const LaunchConfig& config, driver::CUstream stream);
    NativeLaunch(const NativeLaunch&) = delete;
    NativeLaunch& operator=(const NativeLaunch&) = delete;

    const driver::CUlaunchConfig& config() const noexcept { return config_; }

    /// Copies values that the driver wrote into attributes to the variables that the configuration points to. Call it after a
    /// launch that succeeded.
    void write_back(const LaunchConfig& config) const noexcept;

private:
    driver::CUlaunchConfig config_;
    driver::CUlaunchAttribute attributes_[max_attributes];
};

/// Returns the first CUDA release whose driver accepts the attribute, 12040 for 12.4; 0 for an attribute that no LaunchConfig
/// sets.
int first_release_of(driver::CUlaunchAttributeID attribute) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
