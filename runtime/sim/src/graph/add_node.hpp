// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_check.hpp"

namespace cubind::sim {

/// Where a new node goes, as its caller says.
struct NewNode {
    CUgraphNode* out;
    CUgraph graph;
    const CUgraphNode* dependencies;
    const CUgraphEdgeData* edges;  ///< null: each waits for the whole of what it waits for
    std::size_t count;
};

/// Whether there can be but one of a graph, since its memory has one address, or its conditions one value.
bool is_one_of_a_kind(const Graph& graph);

/// Whether a graph takes such an operation.
CUresult check_for(const Graph& graph, const Operation& operation);

/// Nodes of a graph by their handles. CUDA_ERROR_INVALID_VALUE for any that is not there, or is named twice.
CUresult find_dependencies(const Graph& graph, const CUgraphNode* handles, const CUgraphEdgeData* edges, std::size_t count,
                           std::vector<Dependency>& found);

/// Adds a node; `make(graph, operation)` says what it does, or why not.
template <class Make>
CUresult add_node(const NewNode& where, Make make) {
    const GraphCheck graph(where.graph);
    if (graph.failed()) return graph.status;
    if (where.out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<Dependency> dependencies;
    if (const CUresult status = find_dependencies(*graph, where.dependencies, where.edges, where.count, dependencies))
        return status;
    Operation operation;
    if (const CUresult status = make(*graph, operation)) return status;
    if (const CUresult status = check(operation)) return status;
    if (const CUresult status = check_for(*graph, operation)) return status;
    Node& node = graph->add(std::move(operation));
    for (const Dependency& each : dependencies) {
        if (graph->connect(*each.node, node, each.data) == CUDA_SUCCESS) continue;
        graph->remove(node);
        return CUDA_ERROR_INVALID_VALUE;
    }
    *where.out = node.handle;
    return CUDA_SUCCESS;
}

}  // namespace cubind::sim
