// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "graph/copy_node.hpp"
#include "graph/definition_state.hpp"
#include "stream/host_call.hpp"

/// Changes of the nodes of a definition, except for kernels.
namespace CUBIND_NAMESPACE {

namespace {

template <class Operands>
void update_copy(const CopyNode& node, const Operands& operands) {
    detail::check_node(operands);
    detail::NodeAccess::state(node).update(node.native_handle(), detail::record_of(operands), [&] {
        const auto params = detail::native(operands);
        const auto changed = driver::cuGraphMemcpyNodeSetParams(node.native_handle(), &params);
        if (!changed.ok()) detail::throw_rejected(changed, operands);
    });
}

}  // namespace

void CopyNode::update(const detail::CopyOperands& operands) const {
    update_copy(*this, operands);
}

void CopyNode::update(const detail::BoxOperands& operands) const {
    update_copy(*this, operands);
}

void FillNode::update(const detail::FillArguments& arguments) const {
    detail::check_node(arguments);
    detail::NodeAccess::state(*this).update(native_handle(), detail::record_of(arguments), [&] {
        const auto params = detail::native(arguments);
        const auto changed = driver::cuGraphMemsetNodeSetParams(native_handle(), &params);
        if (!changed.ok()) detail::throw_rejected(changed, arguments);
    });
}

void HostCallbackNode::update_function(detail::HostFunction function) const {
    const std::shared_ptr<detail::HostCall> host_call = detail::HostCall::own(function);
    const driver::CUDA_HOST_NODE_PARAMS params{detail::HostCall::call, host_call.get()};
    detail::NodeAccess::state(*this).update(native_handle(), {{host_call}},
                                            [&] { check(driver::cuGraphHostNodeSetParams(native_handle(), &params)); });
}

void ChildGraphNode::update(const GraphDefinition& child) const {
    const detail::DefinitionState& next = detail::NodeAccess::state(child);
    detail::NodeAccess::state(*this).update(native_handle(), {next.all_objects()}, [&] {
        driver::CUgraphNodeParams params{};
        params.type = native_type;
        params.graph.graph = next.graph();
        detail::check_embedded(driver::cuGraphNodeSetParams(native_handle(), &params));
    });
}

void EventRecordNode::update(EventRef event) const {
    check(driver::cuGraphEventRecordNodeSetEvent(native_handle(), event.native_handle()));
}

void EventWaitNode::update(EventRef event) const {
    check(driver::cuGraphEventWaitNodeSetEvent(native_handle(), event.native_handle()));
}

}  // namespace CUBIND_NAMESPACE
