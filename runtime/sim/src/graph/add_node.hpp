// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The position of a new node: its graph and its dependencies.
struct NewNode {
    CUgraphNode* out;
    CUgraph graph;
    const CUgraphNode* dependencies;
    const CUgraphEdgeData* edges;  ///< null if all edges are full dependencies
    std::size_t count;
};

/// Checks whether the graph can neither be cloned nor be instantiated twice: its memory has fixed addresses, or its
/// conditional handles have one value each.
bool is_single_instance(const Graph& graph);

/// Checks whether a graph with the operation can be instantiated.
CUresult check_supported(const Graph& graph, const Operation& operation);
/// Checks whether the operation can be added to a graph. Some that a graph may contain cannot be instantiated.
CUresult check_addable(const Graph& graph, const Operation& operation);

/// Finds nodes of a graph by their handles. Returns CUDA_ERROR_INVALID_VALUE for nodes that the graph does not contain,
/// and for duplicates.
CUresult find_dependencies(const Graph& graph, const CUgraphNode* handles, const CUgraphEdgeData* edges, std::size_t count,
                           std::vector<Dependency>& found);

/// Adds a node. `make(graph, operation)` creates its operation, or returns an error.
template <class Make>
CUresult add_node(const NewNode& position, Make make) {
    const GraphCheck graph(position.graph);
    if (graph.failed()) return graph.status;
    if (position.out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<Dependency> dependencies;
    if (const CUresult status = find_dependencies(*graph, position.dependencies, position.edges, position.count, dependencies))
        return status;
    Operation operation;
    if (const CUresult status = make(*graph, operation)) return status;
    if (const CUresult status = check(operation)) return status;
    if (const CUresult status = check_addable(*graph, operation)) return status;
    Node& node = graph->add(std::move(operation));
    try {
        for (const Dependency& each : dependencies) {
            if (graph->connect(*each.node, node, each.data) == CUDA_SUCCESS) continue;
            graph->remove(node);
            return CUDA_ERROR_INVALID_VALUE;
        }
    } catch (...) {
        graph->remove(node);
        throw;
    }
    *position.out = node.handle;
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
