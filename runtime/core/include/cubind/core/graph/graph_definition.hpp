// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/allocation_node.hpp>
#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_node.hpp>
#include <cubind/driver/types.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace CUBIND_NAMESPACE {

class GraphCondition;

/// An edge of a graph: `to` depends on `from`.
struct GraphEdge {
    GraphNode from;  ///< the node that runs first
    GraphNode to;    ///< the node that depends on it
    /// Which part of `from` must have completed. Zero for an ordinary edge.
    driver::CUgraphEdgeData data = {};
};

/// A view of a graph: of a GraphDefinition, or of a graph within one of its nodes. As a GraphPosition, it has no dependencies:
/// its functions add nodes that run at the beginning of the graph. A view is cheap to copy and owns nothing: the definition must
/// outlive it. Only one thread at a time may use a graph and its nodes.
class CUBIND_EXPORT GraphDefinitionRef : public GraphPosition {
public:
    /// The type of the native handle.
    using Handle = driver::CUgraph;

    /// Returns the native handle, for driver calls. Graphs that the driver creates from the graph after this call retain the
    /// objects that its work uses, which makes each launch several times slower (cuGraphRetainUserObject). Throws
    /// std::invalid_argument for an empty definition.
    [[nodiscard]] Handle native_handle() const;

    /// Returns the number of the graph, which no other graph of the process has (cuGraphGetId). Throws Error, which names
    /// the release, if the driver is older than CUDA 13.1.
    [[nodiscard]] unsigned int id() const;

    /// Returns the nodes that depend on no other node (cuGraphGetRootNodes).
    [[nodiscard]] std::vector<GraphNode> root_nodes() const;
    /// Returns all nodes in the order in which they were added (cuGraphGetNodes).
    [[nodiscard]] std::vector<GraphNode> nodes() const;
    /// Returns all edges (cuGraphGetEdges).
    [[nodiscard]] std::vector<GraphEdge> edges() const;

    /// Creates a condition for a conditional node of this graph (cuGraphConditionalHandleCreate). It has no value at the
    /// beginning of a launch: a kernel must set it before the node runs. The driver instantiates a graph only if each of its
    /// conditions is used. Throws std::invalid_argument if the driver is older than CUDA 12.3.
    [[nodiscard]] GraphCondition create_condition() const;
    /// Creates a condition that has the value `initial` at the beginning of each launch.
    [[nodiscard]] GraphCondition create_condition(unsigned int initial) const;

    /// Removes a node and its edges (cuGraphDestroyNode). The graph no longer retains the objects of the node. Throws
    /// std::invalid_argument for a node of another graph, and Error for graphs that allocate or free memory.
    void remove(const GraphNode& node) const;

    /// Writes the graph to a file in the DOT language of Graphviz (cuGraphDebugDotPrint).
    void debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options = {}) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(const GraphDefinitionRef& left, const GraphDefinitionRef& right) noexcept {
        return left.graph_ == right.graph_;
    }

protected:
    friend class ChildGraphNode;
    friend class ConditionalNode;
    friend class GraphBuilder;
    friend class GraphNode;
    /// Creates a view of a graph of the definition with this state.
    GraphDefinitionRef(detail::DefinitionState* state, Handle graph) noexcept : GraphPosition(state, graph) {}

private:
    std::vector<GraphNode> views(const std::vector<driver::CUgraphNode>& nodes) const;
};

/// A graph whose nodes are added explicitly, and the owner of its native handle. The functions of GraphPosition add nodes; call
/// them on the definition, on a node, or on the result of after(). The definition and every graph instantiated from it retain the
/// kernels, buffers and host functions of its nodes. Only one thread at a time may use it. Movable, not copyable.
///
///     GraphDefinition definition(device);
///     const KernelNode left = definition.launch(config, kernel, a, n);
///     const KernelNode right = definition.launch(config, kernel, b, n);     // runs beside the other one
///     definition.after({left, right}).copy(results, a);
///     const Graph graph = definition.instantiate();
///     graph.launch(stream);
class [[nodiscard]] CUBIND_EXPORT GraphDefinition : public GraphDefinitionRef {
public:
    /// Creates an empty object.
    GraphDefinition() noexcept : GraphDefinitionRef(nullptr, nullptr) {}
    /// Creates a graph without nodes. Its kernels, copies and fills run in device.context() (cuGraphCreate).
    explicit GraphDefinition(Device device);
    /// Creates a graph without nodes. Its kernels, copies and fills run in this context (cuGraphCreate).
    explicit GraphDefinition(ContextRef context);

    /// Moves the graph; the other object is empty afterwards. Views of nodes stay valid.
    GraphDefinition(GraphDefinition&& other) noexcept;
    /// Destroys the graph as the destructor does, and moves the other one into this object.
    GraphDefinition& operator=(GraphDefinition&& other) noexcept;
    GraphDefinition(const GraphDefinition&) = delete;
    GraphDefinition& operator=(const GraphDefinition&) = delete;
    /// Destroys the graph (cuGraphDestroy). Graphs instantiated from it remain valid. A failure is reported to the cleanup
    /// handler.
    ~GraphDefinition();

    /// Takes ownership of a graph that was created elsewhere. New kernels, copies and fills run in device.context(). If this
    /// throws, the caller still owns the graph.
    [[nodiscard]] static GraphDefinition from_native_handle(Handle graph, Device device);

    /// Gives up ownership and returns the handle, which the caller must destroy (cuGraphDestroy). The graph retains the objects
    /// that its work uses (cuGraphRetainUserObject); if that fails, throws Error, and the object still owns the graph. Returns a
    /// null handle if the object is empty. The object is empty afterwards.
    [[nodiscard]] Handle release();

    /// Destroys the graph (cuGraphDestroy). Throws Error if that fails. The object is empty afterwards in either case. Closing an
    /// empty object does nothing.
    void close();

    /// Returns whether the object is empty: default-constructed, moved from, closed or released.
    [[nodiscard]] bool is_closed() const noexcept { return state_ == nullptr; }

    /// Returns a copy of the graph, which retains the same objects (cuGraphClone). Throws Error for a graph that allocates or
    /// frees memory.
    [[nodiscard]] GraphDefinition clone() const;
    /// Returns the node of this graph, a clone, that was copied from a node of the original graph (cuGraphNodeFindInClone).
    template <class Node>
    [[nodiscard]] Node counterpart(const Node& original) const {
        const GraphNode found = find_counterpart(original);
        if constexpr (std::is_same_v<Node, GraphNode>) {
            return found;
        } else {
            return found.template as<Node>();
        }
    }

    /// Returns an executable graph (cuGraphInstantiateWithParams). May be called any number of times; the driver allows only one
    /// executable graph at a time for graphs that allocate memory. Throws Error, which names the node, if the graph is not valid.
    [[nodiscard]] Graph instantiate(const GraphCompleteOptions& options = {}) const;
    /// Calls instantiate(), as GraphBuilder::complete() does.
    [[nodiscard]] Graph complete(const GraphCompleteOptions& options = {}) const { return instantiate(options); }

private:
    friend class GraphPosition;
    void reset() noexcept;
    GraphNode find_counterpart(const GraphNode& original) const;
};

}  // namespace CUBIND_NAMESPACE
