// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/children.hpp"

#include <algorithm>

#include "objects/device/attributes.hpp"
#include "objects/module/module.hpp"
#include "work/kernel/body.hpp"
#include "work/kernel/cluster.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

ChildLaunches::ChildLaunches(const LaunchServices& services, const Function& parent)
    : services_(services), parent_(parent), module_(services.code.modules.find(parent.module)), run_(GraphRun::current()) {
    const std::lock_guard lock(parent.context->settings_mutex);
    max_pending_ = parent.context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT];
}

bool ChildLaunches::check(ptx::GridRequest& request) {
    if (module_ == nullptr || request.dynamic_shared_bytes > ~0u) return false;
    const auto& functions = module_->functions();
    const auto found = std::ranges::find(functions, request.kernel->name, [](const auto& each) { return each->kernel.name; });
    if (found == functions.end()) return false;
    CUlaunchConfig config{};
    config.gridDimX = request.grid.x;
    config.gridDimY = request.grid.y;
    config.gridDimZ = request.grid.z;
    config.blockDimX = request.block.x;
    config.blockDimY = request.block.y;
    config.blockDimZ = request.block.z;
    config.sharedMemBytes = static_cast<unsigned>(request.dynamic_shared_bytes);
    const KernelView view = (*found)->view();
    Extent3 cluster;
    if (check_shape(view, config) != CUDA_SUCCESS || find_cluster(view, config, cluster) != CUDA_SUCCESS) return false;
    request.is_explicit_cluster = cluster.x != 0;
    request.cluster = request.is_explicit_cluster ? cluster : Extent3{};
    return true;
}

std::function<ptx::GridResult(const ptx::GridRequest&)> ChildLaunches::find_body(const ptx::GridRequest& request) {
    const std::shared_ptr<const detail::Body> body = services_.bodies.find(request.kernel->name);
    if (body == nullptr) return {};
    const auto& functions = module_->functions();
    const auto found = std::ranges::find(functions, request.kernel->name, [](const auto& each) { return each->kernel.name; });
    if (body->parameters != (*found)->kernel.parameters) {
        return [](const ptx::GridRequest& child) -> ptx::GridResult {
            return {CUDA_ERROR_INVALID_VALUE,
                    "the parameters of kernel " + child.kernel->name + " differ from those of its body"};
        };
    }
    return [body, &context = *parent_.context](const ptx::GridRequest& child) -> ptx::GridResult {
        Launch launch;
        launch.name = child.kernel->name;
        launch.grid = child.grid;
        launch.block = child.block;
        launch.shared_bytes = static_cast<unsigned>(child.dynamic_shared_bytes);
        launch.arguments.assign(child.parameters.begin(), child.parameters.end());
        call_body(*body, launch, context);
        return {launch.status, std::move(launch.problem)};
    };
}

// Both kinds of launches without an order run after the kernel, so that nothing that waits for one of them could begin before.
std::optional<ptx::DeviceError> ChildLaunches::launch_graph(std::uint64_t graph, ptx::GraphStream stream) {
    if (run_ == nullptr) return std::nullopt;
    const bool is_tail = stream == ptx::GraphStream::tail_launch;
    const bool is_child = stream == ptx::GraphStream::fire_and_forget || stream == ptx::GraphStream::fire_and_forget_as_sibling;
    GraphSteps steps;
    if (!is_tail && !is_child) return ptx::DeviceError::invalid_value;
    const auto handle = reinterpret_cast<CUgraphExec>(graph);
    const ptx::DeviceError error = services_.plan_graph(handle, parent_.context, steps);
    if (error != ptx::DeviceError::none) return error;
    return is_tail ? run_->add_tail(std::move(steps)) : run_->add_child(std::move(steps));
}

std::optional<int> ChildLaunches::find_attribute(int device, int attribute) {
    const Device* const found = find_device(services_.devices, device);
    if (found == nullptr || attribute <= 0 || attribute >= int{CU_DEVICE_ATTRIBUTE_MAX}) return std::nullopt;
    return device_attribute(*found, static_cast<CUdevice_attribute>(attribute));
}

std::optional<std::size_t> ChildLaunches::find_limit(int limit) {
    Context& context = *parent_.context;
    const std::lock_guard lock(context.settings_mutex);
    if (limit < 0 || limit >= static_cast<int>(context.limits.size())) return std::nullopt;
    return context.limits[static_cast<std::size_t>(limit)];
}

}  // namespace CUBIND_NAMESPACE::sim
