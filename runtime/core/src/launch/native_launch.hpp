// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch_config.hpp>
#include <cubind/core/stream.hpp>

namespace cubind::detail {

/// A launch as the driver wants it. The attributes lie on the stack; only those that are set cost anything.
class NativeLaunch {
public:
    /// The dynamic shared memory must fit into 32 bits.
    NativeLaunch(const LaunchConfig& config, driver::CUstream stream);
    NativeLaunch(const NativeLaunch&) = delete;
    NativeLaunch& operator=(const NativeLaunch&) = delete;

    const driver::CUlaunchConfig& config() const noexcept { return config_; }

    /// Hands on what the driver wrote into attributes; call it after a launch that succeeded.
    void write_back(const LaunchConfig& config) const noexcept;

private:
    driver::CUlaunchAttributeValue& add(driver::CUlaunchAttributeID id) noexcept;
    void add_common(const LaunchConfig& config);
    void add_rare(const LaunchConfig& config);

    static constexpr unsigned int most_attributes = 16;

    driver::CUlaunchConfig config_;
    driver::CUlaunchAttribute attributes_[most_attributes];
};

}  // namespace cubind::detail
