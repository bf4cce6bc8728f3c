// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "graph/operation.hpp"
#include "graph/user_object.hpp"

namespace CUBIND_NAMESPACE::sim {

class Graph;
struct GraphStore;
struct Node;

/// One end of an edge.
struct Dependency {
    Node* node;
    driver::CUgraphEdgeData data;
};

/// A node of a graph.
struct Node {
    Node(driver::CUgraphNode own_handle, Graph& own_graph, Operation own_operation)
        : handle(own_handle), graph(own_graph), operation(std::move(own_operation)) {}

    const driver::CUgraphNode handle;
    Graph& graph;
    Operation operation;
    driver::CUgraphNode original = nullptr;  ///< node of which this one is a copy; null if it is no copy
    bool is_enabled = true;                  ///< used in executable graphs only
    std::vector<Dependency> dependencies;    ///< nodes that this one waits for
    std::vector<Dependency> dependents;      ///< nodes that wait for this one
};

/// A graph of nodes and edges. Guarded by the lock of graphs, except for a copy that is not shared yet.
class Graph {
public:
    /// Limit of the nesting of graphs.
    static constexpr int max_depth = 64;
    /// Limit of the nodes of a graph, including those of all inner graphs.
    static constexpr std::size_t max_nodes = std::size_t{1} << 20;

    /// Creates an empty graph. `store` registers the nodes by their handles; if it is null, the nodes are not registered.
    Graph(driver::CUgraph own_handle, GraphStore* store, int nesting, bool within_conditional);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    /// Adds a node without edges.
    Node& add(Operation operation);
    /// Removes a node and its edges.
    void remove(Node& node);
    /// Adds an edge. Returns CUDA_ERROR_INVALID_VALUE if it exists, connects a node to itself, or has invalid data.
    driver::CUresult connect(Node& from, Node& to, const driver::CUgraphEdgeData& data);
    /// Removes an edge. Returns CUDA_ERROR_INVALID_VALUE if it does not exist with these data.
    driver::CUresult disconnect(Node& from, Node& to, const driver::CUgraphEdgeData& data);

    /// Copies the graph and all inner graphs. Returns CUDA_ERROR_INVALID_VALUE if the nesting would exceed max_depth,
    /// and CUDA_ERROR_OUT_OF_MEMORY if the nodes exceed max_nodes.
    driver::CUresult copy(driver::CUgraph copy_handle, GraphStore* store, int nesting, bool within_conditional,
                          std::shared_ptr<Graph>& result) const;
    /// Sorts the nodes topologically. Returns false if the graph has a cycle.
    bool order(std::vector<Node*>& ordered) const;
    /// Returns the operations of a launch in their order.
    std::vector<Operation> enabled_operations() const;
    /// Appends the steps of a launch.
    driver::CUresult plan(Plan& plan) const;
    /// Calls `visit(node)` for each node, including those of inner graphs.
    template <class Visit>
    void for_each_node(Visit visit) const {
        for (const auto& node : nodes_) {
            visit(*node);
            for (const auto& inner : graphs_in(node->operation)) inner->for_each_node(visit);
        }
    }
    /// Checks whether a node of the graph or of an inner graph uses the condition.
    bool uses(const Condition& condition) const;
    /// Checks whether the graph or an inner graph has allocation or free nodes.
    bool has_memory_nodes() const;

    const std::vector<std::shared_ptr<Node>>& nodes() const noexcept { return nodes_; }
    bool is_within_node() const noexcept { return depth > 0; }

    const driver::CUgraph handle;
    const int depth;
    const bool is_conditional;           ///< whether it is within a conditional node, which supports fewer operations
    std::vector<driver::CUgraph> outer;  ///< for a body of a conditional node: the graphs around it, whose handles it may use
    int captures = 0;                    ///< number of captures that add nodes to it
    std::weak_ptr<void> executable;      ///< latest executable graph that was instantiated from it
    /// Shared with launches, which need the objects after an update has replaced them.
    std::shared_ptr<UserReferences> user_objects = std::make_shared<UserReferences>();

private:
    /// Returns the nodes of a launch in their order.
    std::vector<Node*> enabled_nodes() const;

    GraphStore* const store_;
    std::vector<std::shared_ptr<Node>> nodes_;
};

}  // namespace CUBIND_NAMESPACE::sim
