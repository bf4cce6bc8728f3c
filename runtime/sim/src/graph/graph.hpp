// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "graph/operation.hpp"
#include "graph/user_object.hpp"

namespace cubind::sim {

class Graph;
struct GraphStore;
struct Node;

/// One end of an edge.
struct Dependency {
    Node* node;
    CUgraphEdgeData data;
};

/// An operation within a graph.
struct Node {
    Node(CUgraphNode own_handle, Graph& of, Operation what) : handle(own_handle), graph(of), operation(std::move(what)) {}

    const CUgraphNode handle;
    Graph& graph;
    Operation operation;
    CUgraphNode original = nullptr;        ///< of which it is a copy, if it is one
    bool is_enabled = true;                ///< of executable graphs
    std::vector<Dependency> dependencies;  ///< what it waits for
    std::vector<Dependency> dependents;    ///< what waits for it
};

/// Nodes and edges. Guarded by the lock of graphs, but for a copy that nobody else has.
class Graph {
public:
    /// Graphs within graphs within graphs: so deep, and not deeper.
    static constexpr int deepest = 64;
    /// Nodes of a graph with all graphs within it.
    static constexpr std::size_t most_nodes = std::size_t{1} << 20;

    /// `store` knows its nodes by their handles; null: nobody does.
    Graph(CUgraph own_handle, GraphStore* store, int nesting, bool within_conditional);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Node& add(Operation operation);
    void remove(Node& node);
    /// CUDA_ERROR_INVALID_VALUE for an edge that is there, or leads from a node to itself, or whose data mean nothing.
    CUresult connect(Node& from, Node& to, const CUgraphEdgeData& data);
    CUresult disconnect(Node& from, Node& to, const CUgraphEdgeData& data);

    /// A copy of it, with all that is in it. CUDA_ERROR_INVALID_VALUE if it would be too deep, CUDA_ERROR_OUT_OF_MEMORY if too
    /// large.
    CUresult copy(CUgraph copy_handle, GraphStore* store, int nesting, bool within_conditional,
                  std::shared_ptr<Graph>& made) const;
    /// The nodes in an order in which they can be done. False where edges lead in a circle.
    bool order(std::vector<Node*>& ordered) const;
    /// Appends what a launch does.
    CUresult plan(Plan& plan) const;
    /// Calls `visit(node)` for each node, and for those of the graphs within.
    template <class Visit>
    void for_each_node(Visit visit) const {
        for (const auto& node : nodes_) {
            visit(*node);
            for (const auto& inner : graphs_in(node->operation)) inner->for_each_node(visit);
        }
    }
    bool has_memory_nodes() const;

    const std::vector<std::shared_ptr<Node>>& nodes() const noexcept { return nodes_; }
    bool is_within_node() const noexcept { return depth > 0; }

    const CUgraph handle;
    const int depth;
    const bool is_conditional;       ///< done by the device on its own, which not all operations can be
    int captures = 0;                ///< that add to it
    std::weak_ptr<void> executable;  ///< the latest one that was made of it
    /// Shared with runs of the graph, which need it after an update has replaced it.
    std::shared_ptr<UserReferences> user_objects = std::make_shared<UserReferences>();

private:
    GraphStore* const store_;
    std::vector<std::shared_ptr<Node>> nodes_;
};

}  // namespace cubind::sim
