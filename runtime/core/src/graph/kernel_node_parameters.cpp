// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/kernel_node_parameters.hpp"

#include <cubind/core/device/device.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/strings.hpp>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"
#include "graph/definition_state.hpp"
#include "launch/argument_comparison.hpp"
#include "launch/launch_diagnostics.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void check_attributes(const LaunchConfig& config) {
    const char* const rejected = config.programmatic_event                        ? "programmatic_event"
                                 : config.launch_completion_event                 ? "launch_completion_event"
                                 : config.device_updatable_kernel_node != nullptr ? "device_updatable_kernel_node"
                                                                                  : nullptr;
    if (rejected == nullptr) return;
    throw_misuse("LaunchConfig::", rejected,
                 " cannot be set for a node of a GraphDefinition: capture the launch with a GraphBuilder");
}

// In a definition, edges replace this attribute.
LaunchConfig without_stream_order(LaunchConfig config) {
    config.programmatic_stream_serialization = false;
    return config;
}

}  // namespace

void check_same_attributes(const LaunchConfig& before, LaunchConfig next) {
    next.grid = before.grid;
    next.block = before.block;
    next.shared_memory_size = before.shared_memory_size;
    next.programmatic_stream_serialization = before.programmatic_stream_serialization;  // sets edges, which do not change
    if (next == before) return;
    throw_misuse(
        "the attributes of the LaunchConfig differ from those of the node, and the driver cannot change them in an executable "
        "graph: change the node of the definition, and update the graph with the definition");
}

KernelNodeParameters::KernelNodeParameters(ContextRef context, const KernelCall& call)
    : context_(context),
      config_(call.config),
      kernel_(KernelAccess::state(call.kernel)),
      objects_(call.objects),
      launch_(without_stream_order(call.config), nullptr),
      params_{} {
    KernelState& state = launchable(call.kernel);
    check_attributes(config_);
    if (!call.is_compared) compare_arguments(context, state, call.arguments.types);
    if (!state.dynamic_shared_memory().covers(config_.shared_memory_size)) {
        state.dynamic_shared_memory().prepare(context.device().ordinal(), state.handle(), config_.shared_memory_size);
    }
    params_.gridDimX = config_.grid.x;
    params_.gridDimY = config_.grid.y;
    params_.gridDimZ = config_.grid.z;
    params_.blockDimX = config_.block.x;
    params_.blockDimY = config_.block.y;
    params_.blockDimZ = config_.block.z;
    params_.sharedMemBytes = static_cast<unsigned int>(config_.shared_memory_size);
    params_.kernelParams = const_cast<void**>(call.arguments.addresses);  // the driver only reads
    params_.kern = state.handle();
    params_.ctx = context.native_handle();
}

NodeRecord KernelNodeParameters::take_record() {
    ObjectList objects = objects_.take();
    objects.push_back(kernel_);
    return {std::move(objects), kernel_, config_};
}

std::span<const driver::CUlaunchAttribute> KernelNodeParameters::attributes() const noexcept {
    return {launch_.config().attrs, launch_.config().numAttrs};
}

driver::CUgraphNode KernelNodeParameters::add(const GraphPlace& place) const {
    if (config_.programmatic_stream_serialization && place.count != 0) return add_after_programmatic_edges(place);
    const auto added = driver::cuGraphAddKernelNode_v2(place.graph, place.dependencies, place.count, &params_);
    if (!added.ok()) throw_failure({added.status});
    return added.value;
}

// The edges from kernels are programmatic, as they are between consecutive launches of a captured stream.
driver::CUgraphNode KernelNodeParameters::add_after_programmatic_edges(const GraphPlace& place) const {
    require_release("LaunchConfig::programmatic_stream_serialization of a node of a GraphDefinition", 12030);
    std::vector<driver::CUgraphEdgeData> edges(place.count);
    for (std::size_t i = 0; i < place.count; ++i) {
        if (check(driver::cuGraphNodeGetType(place.dependencies[i])) != driver::CU_GRAPH_NODE_TYPE_KERNEL) continue;
        edges[i].from_port = driver::CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
        edges[i].type = driver::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    }
    driver::CUgraphNodeParams params{};
    params.type = driver::CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel = {params_.func,         params_.gridDimX,  params_.gridDimY,  params_.gridDimZ,
                     params_.blockDimX,    params_.blockDimY, params_.blockDimZ, params_.sharedMemBytes,
                     params_.kernelParams, params_.extra,     params_.kern,      params_.ctx};
    const auto added = driver::cuGraphAddNode_v2(place.graph, place.dependencies, edges.data(), place.count, params);
    if (added.status != driver::CUDA_SUCCESS) throw_failure({added.status});
    return added.value1;
}

void KernelNodeParameters::set_attributes(driver::CUgraphNode node) const {
    for (const driver::CUlaunchAttribute& attribute : attributes()) {
        const auto set = driver::cuGraphKernelNodeSetAttribute(node, attribute.id, &attribute.value);
        if (set.ok()) continue;
        throw_failure(set, concat("A node of a GraphDefinition cannot have the attribute ", driver::to_string(attribute.id),
                                  " with this driver: capture the launch with a GraphBuilder."));
    }
}

void KernelNodeParameters::throw_failure(Result<driver::CUresult> failed, const std::string& if_unknown) const {
    throw_kernel_node_failure(failed, context_, config_, *kernel_, if_unknown);
}

}  // namespace CUBIND_NAMESPACE::detail
