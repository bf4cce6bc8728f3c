// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/run/device_runtime.hpp"
#include "work/kernel/launch.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The services of the driver for launches by kernels. Valid during a launch of the host. Thread-safe.
class ChildLaunches final : public ptx::DeviceRuntimeHost {
public:
    ChildLaunches(const LaunchServices& services, const Function& parent);

    bool check(ptx::GridRequest& request) override;
    std::function<ptx::GridResult(const ptx::GridRequest&)> find_body(const ptx::GridRequest& request) override;
    std::optional<ptx::DeviceError> launch_graph(std::uint64_t graph, ptx::GraphStream stream) override;
    std::optional<int> find_attribute(int device, int attribute) override;
    std::optional<std::size_t> find_limit(int limit) override;
    int device() const override { return parent_.context->device.ordinal; }
    int device_count() const override { return static_cast<int>(services_.devices.size()); }
    std::size_t max_pending_launches() const override { return max_pending_; }

private:
    const LaunchServices& services_;
    const Function& parent_;
    const std::shared_ptr<Module> module_;
    GraphRun* const run_;  ///< null if no graph has the launch
    std::size_t max_pending_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim
