// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_position.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

class GraphDefinition;
class GraphDefinitionRef;

/// A view of a node of a graph, and the position after it, where further nodes can be added. A view is cheap to copy and owns
/// nothing: the definition must outlive it, and it must not be used after the node was removed. Only one thread at a time may use
/// a graph and its nodes.
class CUBIND_EXPORT GraphNode : public GraphPosition {
public:
    /// The type of the native handle.
    using Handle = driver::CUgraphNode;

    /// Returns the native handle, for driver calls.
    [[nodiscard]] Handle native_handle() const noexcept { return node_; }

    /// Returns the kind of the node (cuGraphNodeGetType).
    [[nodiscard]] driver::CUgraphNodeType type() const;

    /// Returns a view of the node as a node of one kind. Throws std::invalid_argument, which names both kinds, if the node is of
    /// another kind.
    ///
    ///     for (const GraphNode& node : definition.nodes())
    ///         if (node.is<KernelNode>()) std::cout << node.as<KernelNode>().kernel().name();
    template <class Node>
    [[nodiscard]] Node as() const {
        check_type(Node::native_type);
        return Node(*this);
    }
    /// Returns whether as<Node>() is possible.
    template <class Node>
    [[nodiscard]] bool is() const {
        return type() == Node::native_type;
    }

    /// Returns the graph that contains the node: the definition, or a graph within one of its nodes. Defined in
    /// <cubind/core/graph/graph_definition.hpp>.
    [[nodiscard]] GraphDefinitionRef graph() const;
    /// Returns whether the graph still has the node, which another view may have removed (cuGraphGetNodes). The driver may give
    /// the handle of a removed node to a new one.
    [[nodiscard]] bool is_valid() const;
    /// Returns the number of the node within its graph (cuGraphNodeGetLocalId). Throws Error, which names the release, if
    /// the driver is older than CUDA 13.1.
    [[nodiscard]] unsigned int id() const;
    /// Returns the number by which records of profilers name the node; no other node of the process has it
    /// (cuGraphNodeGetToolsId). Throws like id().
    [[nodiscard]] unsigned long long tools_id() const;

    /// Returns the nodes that this one depends on (cuGraphNodeGetDependencies).
    [[nodiscard]] std::vector<GraphNode> predecessors() const;
    /// Returns the nodes that depend on this one (cuGraphNodeGetDependentNodes).
    [[nodiscard]] std::vector<GraphNode> successors() const;
    /// Makes the node depend on exactly these nodes. Edges that remain are not changed. If a call of the driver fails, the
    /// previous edges are restored (cuGraphAddDependencies, cuGraphRemoveDependencies).
    void set_predecessors(const std::vector<GraphNode>& nodes) const;
    /// Makes exactly these nodes depend on this one, as set_predecessors() does.
    void set_successors(const std::vector<GraphNode>& nodes) const;
    /// Makes the node depend on another node, too. Does nothing if it does already (cuGraphAddDependencies).
    void add_predecessor(const GraphNode& node) const;
    /// Makes another node depend on this one, too. Does nothing if it does already (cuGraphAddDependencies).
    void add_successor(const GraphNode& node) const;
    /// Removes the dependency on another node. Does nothing if there is none (cuGraphRemoveDependencies).
    void remove_predecessor(const GraphNode& node) const;
    /// Removes the dependency of another node on this one. Does nothing if there is none (cuGraphRemoveDependencies).
    void remove_successor(const GraphNode& node) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(const GraphNode& left, const GraphNode& right) noexcept {
        return left.node_ == right.node_;
    }

protected:
    friend class GraphDefinition;
    friend class GraphDefinitionRef;
    friend class GraphPosition;
    friend struct detail::NodeAccess;
    GraphNode(detail::DefinitionState* state, driver::CUgraph graph, Handle node) noexcept : GraphPosition(state, graph, node) {}

private:
    void check_type(driver::CUgraphNodeType expected) const;
    void check_same_graph(const GraphNode& other) const;
    std::vector<GraphNode> views(const std::vector<Handle>& nodes) const;
};

/// The position after several nodes, from GraphPosition::after(). It can be used only in the expression that creates it.
class CUBIND_EXPORT NodesBefore final : public GraphPosition {
public:
    NodesBefore(const NodesBefore&) = delete;
    NodesBefore& operator=(const NodesBefore&) = delete;

private:
    friend class GraphPosition;
    NodesBefore(detail::DefinitionState* state, driver::CUgraph graph, std::vector<driver::CUgraphNode> nodes) noexcept
        : GraphPosition(state, graph), nodes_(std::move(nodes)) {
        list_ = nodes_.data();
        count_ = nodes_.size();
    }

    std::vector<driver::CUgraphNode> nodes_;
};

/// A node that does nothing: it joins branches.
class CUBIND_EXPORT EmptyNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_EMPTY;

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit EmptyNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// A launch of a kernel.
class CUBIND_EXPORT KernelNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_KERNEL;

    /// Returns the shape and the attributes of the launch as the driver stores them (cuGraphKernelNodeGetParams,
    /// cuGraphKernelNodeGetAttribute). An attribute that has the driver's default value is not set.
    [[nodiscard]] LaunchConfig config() const;
    /// Returns the kernel. It retains the kernel's code only if cubind added the node (cuGraphKernelNodeGetParams).
    [[nodiscard]] Kernel kernel() const;

    /// Replaces the kernel, its config and its arguments, with every check and conversion of GraphPosition::launch()
    /// (cuGraphKernelNodeSetParams, cuGraphKernelNodeCopyAttributes). The edges remain, so programmatic_stream_serialization has
    /// no effect. If the driver rejects the parameters, throws Error, and the node is unchanged.
    template <class... Arguments>
    void update(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const {
        detail::with_kernel_call([this](const detail::KernelCall& call) { update(call); }, config, kernel, arguments...);
    }
    /// Replaces the kernel by a KernelFunction, and its config and its arguments, as the other update() does.
    template <class... Parameters>
    void update(const LaunchConfig& config, const KernelFunction<void(Parameters...)>& function,
                typename detail::ParameterOf<Parameters>::Type... arguments) const {
        detail::with_function_call([this](const detail::KernelCall& call) { update(call); }, config, function, arguments...);
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    void update(const detail::KernelCall& call) const;
    explicit KernelNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// A copy between memory of the host or of devices. All getters call cuGraphMemcpyNodeGetParams.
class CUBIND_EXPORT CopyNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_MEMCPY;

    /// Returns the address of the first byte that is written; 0 if the destination is an array.
    [[nodiscard]] driver::CUdeviceptr destination() const;
    /// Returns the address of the first byte that is read; 0 if the source is an array.
    [[nodiscard]] driver::CUdeviceptr source() const;
    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const;
    /// Returns all parameters, also of copies in two and three dimensions.
    [[nodiscard]] driver::CUDA_MEMCPY3D parameters() const;

    /// Replaces both sides of the copy, with the operands and checks of GraphPosition::copy() (cuGraphMemcpyNodeSetParams).
    template <class Destination, class Source>
    requires detail::IsCopy<Destination, Source>
    void update(Destination&& destination, Source&& source) const {
        update(detail::operands_of_copy(std::forward<Destination>(destination), std::forward<Source>(source)));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit CopyNode(const GraphNode& node) noexcept : GraphNode(node) {}
    void update(const detail::CopyOperands& operands) const;
    void update(const detail::BoxOperands& operands) const;
};

/// A fill of device memory with a repeated value. All getters call cuGraphMemsetNodeGetParams.
class CUBIND_EXPORT FillNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_MEMSET;

    /// Returns the address of the first byte.
    [[nodiscard]] driver::CUdeviceptr destination() const { return parameters().dst; }
    /// Returns the repeated value, in the low bits.
    [[nodiscard]] unsigned int value() const { return parameters().value; }
    /// Returns the size of the value in bytes: 1, 2 or 4.
    [[nodiscard]] std::size_t value_size() const { return parameters().elementSize; }
    /// Returns the size of the filled memory in bytes, without gaps between rows.
    [[nodiscard]] std::size_t size() const;
    /// Returns the number of values in a row.
    [[nodiscard]] std::size_t width() const { return parameters().width; }
    /// Returns the number of rows.
    [[nodiscard]] std::size_t height() const { return parameters().height; }
    /// Returns the bytes from one row to the next; 0 for a single row.
    [[nodiscard]] std::size_t pitch() const { return parameters().pitch; }
    /// Returns all parameters.
    [[nodiscard]] driver::CUDA_MEMSET_NODE_PARAMS parameters() const;

    /// Replaces the memory and the value, with the operands and checks of cubind::fill() (cuGraphMemsetNodeSetParams).
    template <class Destination>
    void update(Destination&& destination, detail::FillValueFor<Destination> value) const {
        update(detail::fill_arguments(std::forward<Destination>(destination), value));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit FillNode(const GraphNode& node) noexcept : GraphNode(node) {}
    void update(const detail::FillArguments& arguments) const;
};

/// A call of a function on the host.
class CUBIND_EXPORT HostCallbackNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_HOST;

    /// Returns the function and its argument as the driver stores them (cuGraphHostNodeGetParams). If cubind added the node, they
    /// are a function of cubind and the state in which it finds the given function.
    [[nodiscard]] driver::CUDA_HOST_NODE_PARAMS parameters() const;

    /// Replaces the function (cuGraphHostNodeSetParams).
    template <class Function>
    void update(Function&& function) const {
        update_function(detail::host_function(std::forward<Function>(function)));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit HostCallbackNode(const GraphNode& node) noexcept : GraphNode(node) {}
    void update_function(detail::HostFunction function) const;
};

/// A record of an event.
class CUBIND_EXPORT EventRecordNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_EVENT_RECORD;

    /// Returns the event (cuGraphEventRecordNodeGetEvent).
    [[nodiscard]] EventRef event() const;
    /// Replaces the event (cuGraphEventRecordNodeSetEvent).
    void update(EventRef event) const;

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit EventRecordNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// A wait for an event.
class CUBIND_EXPORT EventWaitNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_WAIT_EVENT;

    /// Returns the event (cuGraphEventWaitNodeGetEvent).
    [[nodiscard]] EventRef event() const;
    /// Replaces the event (cuGraphEventWaitNodeSetEvent).
    void update(EventRef event) const;

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit EventWaitNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// A graph within a node.
class CUBIND_EXPORT ChildGraphNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_GRAPH;

    /// Returns a view of the graph within the node, defined in <cubind/core/graph/graph_definition.hpp>. Changes through the view
    /// change this graph (cuGraphChildGraphNodeGetGraph).
    [[nodiscard]] GraphDefinitionRef child_graph() const;

    /// Replaces the graph within the node by a copy of another graph, which may have other nodes and edges
    /// (cuGraphNodeSetParams). Views of the previous child_graph() and of its nodes must not be used afterwards. The driver
    /// rejects graphs that allocate or free memory. Throws Error, which names the release, if the driver is older than CUDA 12.2.
    void update(const GraphDefinition& child) const;

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit ChildGraphNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

// ---- functions that add nodes ---------------------------------------------------------------------------------------------

namespace detail {

[[nodiscard]] CUBIND_EXPORT driver::CUgraphNode add_kernel(const GraphPlace& place, const KernelCall& call);
[[nodiscard]] CUBIND_EXPORT driver::CUgraphNode add_copy(const GraphPlace& place, const CopyOperands& operands);
[[nodiscard]] CUBIND_EXPORT driver::CUgraphNode add_copy(const GraphPlace& place, const BoxOperands& operands);
[[nodiscard]] CUBIND_EXPORT driver::CUgraphNode add_fill(const GraphPlace& place, const FillArguments& arguments);
/// Takes ownership of `function`, even if this function throws.
[[nodiscard]] CUBIND_EXPORT driver::CUgraphNode add_host_function(const GraphPlace& place, HostFunction function);

}  // namespace detail

template <class... Arguments>
KernelNode GraphPosition::launch(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const {
    const auto add = [&](const detail::KernelCall& call) { return detail::add_kernel(place(), call); };
    return KernelNode({state_, graph_, detail::with_kernel_call(add, config, kernel, arguments...)});
}

template <class... Parameters>
KernelNode GraphPosition::launch(const LaunchConfig& config, const KernelFunction<void(Parameters...)>& function,
                                 typename detail::ParameterOf<Parameters>::Type... arguments) const {
    const auto add = [&](const detail::KernelCall& call) { return detail::add_kernel(place(), call); };
    return KernelNode({state_, graph_, detail::with_function_call(add, config, function, arguments...)});
}

template <class Destination, class Source>
requires detail::IsCopy<Destination, Source> CopyNode GraphPosition::copy(Destination&& destination, Source&& source)
const {
    const auto operands = detail::operands_of_copy(std::forward<Destination>(destination), std::forward<Source>(source));
    return CopyNode({state_, graph_, detail::add_copy(place(), operands)});
}

template <class Destination>
FillNode GraphPosition::fill(Destination&& destination, detail::FillValueFor<Destination> value) const {
    const auto arguments = detail::fill_arguments(std::forward<Destination>(destination), value);
    return FillNode({state_, graph_, detail::add_fill(place(), arguments)});
}

template <class Function>
HostCallbackNode GraphPosition::callback(Function&& function) const {
    return HostCallbackNode(
        {state_, graph_, detail::add_host_function(place(), detail::host_function(std::forward<Function>(function)))});
}

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::GraphNode> {
    [[nodiscard]] std::size_t operator()(const cubind::GraphNode& node) const noexcept {
        return std::hash<const void*>{}(node.native_handle());
    }
};
