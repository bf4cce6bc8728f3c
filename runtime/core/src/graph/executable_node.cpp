// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "graph/copy_node.hpp"
#include "graph/definition_state.hpp"
#include "graph/instantiation.hpp"
#include "graph/kernel_node_parameters.hpp"
#include "stream/host_call.hpp"

namespace CUBIND_NAMESPACE {

// ---- views ----------------------------------------------------------------------------------------------------------------

ExecutableKernelNode GraphRef::operator[](const KernelNode& node) const {
    return ExecutableKernelNode(*this, node);
}
ExecutableCopyNode GraphRef::operator[](const CopyNode& node) const {
    return ExecutableCopyNode(*this, node);
}
ExecutableFillNode GraphRef::operator[](const FillNode& node) const {
    return ExecutableFillNode(*this, node);
}
ExecutableHostCallbackNode GraphRef::operator[](const HostCallbackNode& node) const {
    return ExecutableHostCallbackNode(*this, node);
}
ExecutableEventRecordNode GraphRef::operator[](const EventRecordNode& node) const {
    return ExecutableEventRecordNode(*this, node);
}
ExecutableEventWaitNode GraphRef::operator[](const EventWaitNode& node) const {
    return ExecutableEventWaitNode(*this, node);
}
ExecutableChildGraphNode GraphRef::operator[](const ChildGraphNode& node) const {
    return ExecutableChildGraphNode(*this, node);
}

detail::GraphWork& detail::work_of(GraphRef graph) {
    (void)graph.native_handle();
    GraphState* const state = GraphAccess::state(graph);
    if (state == nullptr) {
        throw_misuse(
            "the view of a graph that was instantiated elsewhere cannot retain what new parameters use: take ownership with "
            "Graph::from_native_handle() to update its nodes");
    }
    return state->work();
}

namespace {

using detail::work_of;

const char* const advice =
    "The change needs a new graph, or the node does not belong to the definition that this graph was instantiated from.";

void check_changed(Result<driver::CUresult> changed) {
    if (changed.ok()) return;
    detail::throw_with_advice(changed, advice);
}

}  // namespace

// ---- enabling -------------------------------------------------------------------------------------------------------------

bool ExecutableWorkNode::is_enabled() const {
    const auto enabled = driver::cuGraphNodeGetEnabled(graph_.native_handle(), node_.native_handle());
    check_changed({enabled.status});
    return enabled.value != 0;
}

void ExecutableWorkNode::set_enabled(bool enabled) const {
    check_changed(driver::cuGraphNodeSetEnabled(graph_.native_handle(), node_.native_handle(), enabled ? 1 : 0));
}

// ---- parameters -----------------------------------------------------------------------------------------------------------

void ExecutableKernelNode::update(const detail::KernelCall& call) const {
    detail::GraphWork& work = work_of(graph_);
    const detail::DefinitionState& definition = detail::NodeAccess::state(node_);
    detail::KernelNodeParameters parameters(definition.context(), call);
    const auto record = definition.record(node_.native_handle());
    const LaunchConfig before = record != nullptr ? record->config : node_.as<KernelNode>().config();
    detail::check_same_attributes(before, call.config);
    work.update(node_.native_handle(), parameters.take_record(), [&] {
        const ScopedContext scope(definition.context());
        const auto changed =
            driver::cuGraphExecKernelNodeSetParams_v2(graph_.native_handle(), node_.native_handle(), &parameters.native());
        if (!changed.ok()) parameters.throw_failure(changed, advice);
    });
}

void ExecutableCopyNode::update(const detail::CopyOperands& operands) const {
    detail::check_node(operands);
    const ContextRef context = detail::NodeAccess::state(node_).context();
    work_of(graph_).update(node_.native_handle(), detail::record_of(operands), [&] {
        const ScopedContext scope(context);
        const auto params = detail::native(operands);
        const auto changed = driver::cuGraphExecMemcpyNodeSetParams(graph_.native_handle(), node_.native_handle(), &params,
                                                                    context.native_handle());
        if (!changed.ok()) detail::throw_rejected(changed, operands, advice);
    });
}

void ExecutableFillNode::update(const detail::FillArguments& arguments) const {
    detail::check_node(arguments);
    const ContextRef context = detail::NodeAccess::state(node_).context();
    work_of(graph_).update(node_.native_handle(), detail::record_of(arguments), [&] {
        const ScopedContext scope(context);
        const auto params = detail::native(arguments);
        const auto changed = driver::cuGraphExecMemsetNodeSetParams(graph_.native_handle(), node_.native_handle(), &params,
                                                                    context.native_handle());
        if (!changed.ok()) detail::throw_rejected(changed, arguments, advice);
    });
}

void ExecutableHostCallbackNode::update_function(detail::HostFunction function) const {
    const std::shared_ptr<detail::HostCall> host_call = detail::HostCall::own(function);
    const driver::CUDA_HOST_NODE_PARAMS params{detail::HostCall::call, host_call.get()};
    work_of(graph_).update(node_.native_handle(), {{host_call}}, [&] {
        check_changed(driver::cuGraphExecHostNodeSetParams(graph_.native_handle(), node_.native_handle(), &params));
    });
}

void ExecutableEventRecordNode::update(EventRef event) const {
    check_changed(
        driver::cuGraphExecEventRecordNodeSetEvent(graph_.native_handle(), node_.native_handle(), event.native_handle()));
}

void ExecutableEventWaitNode::update(EventRef event) const {
    check_changed(driver::cuGraphExecEventWaitNodeSetEvent(graph_.native_handle(), node_.native_handle(), event.native_handle()));
}

void ExecutableChildGraphNode::update(const GraphDefinition& child) const {
    const detail::DefinitionState& next = detail::NodeAccess::state(child);
    work_of(graph_).update(node_.native_handle(), {next.all_objects()}, [&] {
        const ScopedContext scope(next.context());
        const auto changed =
            driver::cuGraphExecChildGraphNodeSetParams(graph_.native_handle(), node_.native_handle(), next.graph());
        if (changed.ok()) return;
        detail::throw_with_advice(changed,
                                  "The new child graph must have the same nodes and edges as the previous one, and the node "
                                  "must belong to the definition that this graph was instantiated from.");
    });
}

}  // namespace CUBIND_NAMESPACE
