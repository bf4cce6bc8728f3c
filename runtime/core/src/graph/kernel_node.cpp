// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/version.hpp>

#include <optional>
#include <span>

#include "calls/driver.hpp"
#include "graph/definition_state.hpp"
#include "graph/kernel_node_parameters.hpp"
#include "launch/native_launch.hpp"

namespace CUBIND_NAMESPACE {

namespace detail {
namespace {

/// A graph that exists only during a call.
class ScratchGraph {
public:
    ScratchGraph() : graph_(check(driver::cuGraphCreate(0))) {}
    ScratchGraph(const ScratchGraph&) = delete;
    ScratchGraph& operator=(const ScratchGraph&) = delete;
    ~ScratchGraph() { report_unless_released(driver::cuGraphDestroy(graph_), "destroy a graph", graph_); }
    driver::CUgraph handle() const noexcept { return graph_; }

private:
    driver::CUgraph graph_;
};

driver::CUgraphNode add_with_attributes(const GraphPlace& place, const KernelNodeParameters& parameters) {
    const driver::CUgraphNode node = parameters.add(place);
    try {
        parameters.set_attributes(node);
    } catch (...) {
        report_unless_released(driver::cuGraphDestroyNode(node), "remove a node whose attributes were rejected", node);
        throw;
    }
    return node;
}

// Restores the attributes that the node had before a failure.
void restore_attributes(driver::CUgraphNode node, const LaunchConfig& config) noexcept {
    const NativeLaunch launch(config, nullptr);
    for (const driver::CUlaunchAttribute& each : std::span(launch.config().attrs, launch.config().numAttrs)) {
        report_unless_released(driver::cuGraphKernelNodeSetAttribute(node, each.id, &each.value),
                               "restore an attribute of a kernel node", node);
    }
}

}  // namespace

driver::CUgraphNode add_kernel(const GraphPlace& place, const KernelCall& call) {
    KernelNodeParameters parameters(place.state.context(), call);
    return place.state.add(parameters.take_record(), [&] {
        if (parameters.has_attributes() && place.state.has_memory_nodes()) {
            // A node could not be removed from this graph if its attributes were rejected.
            const ScratchGraph scratch;
            (void)add_with_attributes({place.state, scratch.handle(), nullptr, 0}, parameters);
        }
        return add_with_attributes(place, parameters);
    });
}

}  // namespace detail

// The attributes must fit the shape at every step, so they are removed before the shape changes.
void KernelNode::update(const detail::KernelCall& call) const {
    detail::DefinitionState& state = detail::NodeAccess::state(*this);
    detail::KernelNodeParameters parameters(state.context(), call);
    const LaunchConfig before = config();
    state.update(native_handle(), parameters.take_record(), [&] {
        const detail::ScratchGraph scratch;
        const detail::GraphPlace place{state, scratch.handle(), nullptr, 0};
        const driver::CUgraphNode plain = parameters.add(place);
        const driver::CUgraphNode model = detail::add_with_attributes(place, parameters);  // explains what the driver rejects
        check(driver::cuGraphKernelNodeCopyAttributes(native_handle(), plain));
        const auto changed = driver::cuGraphKernelNodeSetParams_v2(native_handle(), &parameters.native());
        if (!changed.ok()) {
            detail::restore_attributes(native_handle(), before);
            parameters.throw_failure(changed);
        }
        check(driver::cuGraphKernelNodeCopyAttributes(native_handle(), model));
    });
}

// ---- the parameters of a node ---------------------------------------------------------------------------------------------

namespace {

using detail::first_release_of;

/// Reads attributes of a kernel node.
class AttributeReader {
public:
    explicit AttributeReader(driver::CUgraphNode node) : node_(node), driver_(check(driver::cuDriverGetVersion())) {}

    /// Returns the value, which is zero if the driver is older than the attribute.
    driver::CUlaunchAttributeValue read(driver::CUlaunchAttributeID id) const {
        if (driver_ < first_release_of(id)) return {};
        return check(driver::cuGraphKernelNodeGetAttribute(node_, id));
    }

private:
    driver::CUgraphNode node_;
    int driver_;
};

template <class Value>
std::optional<Value> unless_default(Value value, Value by_default = {}) {
    return value == by_default ? std::nullopt : std::optional(value);
}

}  // namespace

LaunchConfig KernelNode::config() const {
    const auto params = check(driver::cuGraphKernelNodeGetParams_v2(native_handle()));
    const AttributeReader attributes(native_handle());
    LaunchConfig config{.grid = {params.gridDimX, params.gridDimY, params.gridDimZ},
                        .block = {params.blockDimX, params.blockDimY, params.blockDimZ},
                        .shared_memory_size = params.sharedMemBytes};
    const auto cluster = attributes.read(driver::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
    if (cluster.x != 0) config.cluster = {cluster.x, cluster.y, cluster.z};
    config.cooperative = attributes.read(driver::CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative != 0;
    config.priority = unless_default(attributes.read(driver::CU_LAUNCH_ATTRIBUTE_PRIORITY).priority);
    const auto window = attributes.read(driver::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow;
    if (window.num_bytes != 0) {
        config.access_policy_window =
            AccessPolicyWindow{window.base_ptr, window.num_bytes, window.hitRatio, window.hitProp, window.missProp};
    }
    config.cluster_scheduling_policy_preference =
        attributes.read(driver::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE).clusterSchedulingPolicyPreference;
    config.mem_sync_domain = unless_default(attributes.read(driver::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain);
    const auto map = attributes.read(driver::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).memSyncDomainMap;
    const MemSyncDomainMap domains{map.default_, map.remote};
    if (domains != MemSyncDomainMap{} && domains != MemSyncDomainMap{0, 0}) config.mem_sync_domain_map = domains;
    const auto carveout =
        static_cast<int>(attributes.read(driver::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout);
    if (carveout != driver::CU_SHAREDMEM_CARVEOUT_DEFAULT && carveout != 0) config.preferred_shared_memory_carveout = carveout;
    return config;
}

Kernel KernelNode::kernel() const {
    const auto record = state_->record(native_handle());
    if (record != nullptr && record->kernel != nullptr) return detail::KernelAccess::make(record->kernel);
    const auto params = check(driver::cuGraphKernelNodeGetParams_v2(native_handle()));
    if (params.kern == nullptr) {
        detail::throw_misuse("the node launches a CUfunction, which is not a Kernel: read it with cuGraphKernelNodeGetParams");
    }
    return Kernel::view_of(params.kern);
}

}  // namespace CUBIND_NAMESPACE
