// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_node.hpp>

#include <utility>

namespace CUBIND_NAMESPACE {

/// A node of an executable graph, from GraphRef::operator[]. Changes take effect at the next launch and do not change the
/// definition. The graph retains the objects that the new parameters use. It releases objects that only the previous parameters
/// used once the launches before the change have completed. A view is cheap to copy and owns nothing: the graph and the
/// definition must outlive it, and the node must not have been removed from the definition. Only one thread at a time may use a
/// graph.
///
///     graph[copy_node].update(data, other_numbers);
///     graph[kernel_node].disable();
class CUBIND_EXPORT ExecutableNode {
protected:
    /// Creates a view of the node that was instantiated from `node`.
    ExecutableNode(GraphRef graph, const GraphNode& node) noexcept : graph_(graph), node_(node) {}

    GraphRef graph_;  ///< the executable graph
    GraphNode node_;  ///< the node of the definition
};

/// A node of an executable graph that can be disabled: a kernel, a copy or a fill.
class CUBIND_EXPORT ExecutableWorkNode : public ExecutableNode {
public:
    /// Returns whether launches run the node (cuGraphNodeGetEnabled).
    [[nodiscard]] bool is_enabled() const;
    /// Lets launches run the node again, with its current parameters (cuGraphNodeSetEnabled).
    void enable() const { set_enabled(true); }
    /// Makes launches treat the node as an empty node (cuGraphNodeSetEnabled).
    void disable() const { set_enabled(false); }

protected:
    using ExecutableNode::ExecutableNode;

private:
    void set_enabled(bool enabled) const;
};

/// A launch of a kernel in an executable graph.
class CUBIND_EXPORT ExecutableKernelNode final : public ExecutableWorkNode {
public:
    /// Replaces the kernel, its shape and its arguments, with every check and conversion of cubind::launch()
    /// (cuGraphExecKernelNodeSetParams). The driver cannot change the attributes: throws std::invalid_argument if the attributes
    /// of the config differ from the attributes of the definition's node. Throws Error if the driver rejects the change, for
    /// example to a kernel of another context.
    template <class... Arguments>
    void update(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const {
        detail::with_kernel_call([this](const detail::KernelCall& call) { update(call); }, config, kernel, arguments...);
    }
    /// Replaces the kernel by a KernelFunction, and its shape and its arguments, as the other update() does.
    template <class... Parameters>
    void update(const LaunchConfig& config, const KernelFunction<void(Parameters...)>& function,
                typename detail::ParameterOf<Parameters>::Type... arguments) const {
        detail::with_function_call([this](const detail::KernelCall& call) { update(call); }, config, function, arguments...);
    }

private:
    friend class GraphRef;
    using ExecutableWorkNode::ExecutableWorkNode;
    void update(const detail::KernelCall& call) const;
};

/// A copy in an executable graph.
class CUBIND_EXPORT ExecutableCopyNode final : public ExecutableWorkNode {
public:
    /// Replaces both sides of the copy, with the operands and checks of cubind::copy() (cuGraphExecMemcpyNodeSetParams). Throws
    /// Error if the driver rejects the change: the kinds of memory and the devices must remain. The driver cannot change copies
    /// in two and three dimensions this way; use GraphRef::update() for them.
    template <class Destination, class Source>
    requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source>
    void update(Destination&& destination, Source&& source) const {
        update(detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source)));
    }

private:
    friend class GraphRef;
    using ExecutableWorkNode::ExecutableWorkNode;
    void update(const detail::CopyOperands& operands) const;
};

/// A fill in an executable graph.
class CUBIND_EXPORT ExecutableFillNode final : public ExecutableWorkNode {
public:
    /// Replaces the memory and the value, with the operands and checks of cubind::fill() (cuGraphExecMemsetNodeSetParams). Throws
    /// Error if the driver rejects the change: the device must remain.
    template <class Destination>
    void update(Destination&& destination, detail::FillValueFor<Destination> value) const {
        update(detail::fill_arguments(std::forward<Destination>(destination), value));
    }

private:
    friend class GraphRef;
    using ExecutableWorkNode::ExecutableWorkNode;
    void update(const detail::FillArguments& arguments) const;
};

/// A call of a host function in an executable graph.
class CUBIND_EXPORT ExecutableHostCallbackNode final : public ExecutableNode {
public:
    /// Replaces the function (cuGraphExecHostNodeSetParams).
    template <class Function>
    void update(Function&& function) const {
        update_function(detail::host_function(std::forward<Function>(function)));
    }

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
    void update_function(detail::HostFunction function) const;
};

/// A record of an event in an executable graph.
class CUBIND_EXPORT ExecutableEventRecordNode final : public ExecutableNode {
public:
    /// Replaces the event, which must outlive the graph (cuGraphExecEventRecordNodeSetEvent).
    void update(EventRef event) const;

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

/// A wait for an event in an executable graph.
class CUBIND_EXPORT ExecutableEventWaitNode final : public ExecutableNode {
public:
    /// Replaces the event, which must outlive the graph (cuGraphExecEventWaitNodeSetEvent).
    void update(EventRef event) const;

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

/// A graph within a node of an executable graph.
class CUBIND_EXPORT ExecutableChildGraphNode final : public ExecutableNode {
public:
    /// Replaces the parameters of all nodes of the graph by the parameters of another graph, which must have the same nodes and
    /// edges (cuGraphExecChildGraphNodeSetParams). Throws Error if they differ.
    void update(const GraphDefinition& child) const;

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

}  // namespace CUBIND_NAMESPACE
