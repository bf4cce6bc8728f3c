// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/node_params.hpp"
#include "graph/node_rules.hpp"
#include "machine/graph_check.hpp"
#include "machine/node_operations.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The position of a new node: its graph and its dependencies.
struct NewNode {
    driver::CUgraphNode* out;
    driver::CUgraph graph;
    const driver::CUgraphNode* dependencies;
    const driver::CUgraphEdgeData* edges;  ///< null if all edges are full dependencies
    std::size_t count;
};

/// Adds a node. `make(graph, operation)` creates its operation, or returns an error.
template <class Make>
driver::CUresult add_node(const NewNode& position, Make make) {
    const Valid<GraphCheck> graph(position.graph);
    if (position.out == nullptr) return driver::CUDA_ERROR_INVALID_VALUE;
    std::vector<Dependency> dependencies;
    if (const driver::CUresult status =
            find_dependencies(graph.store(), *graph, position.dependencies, position.edges, position.count, dependencies))
        return status;
    Operation operation;
    if (const driver::CUresult status = make(*graph, operation)) return status;
    if (const driver::CUresult status = check(operation, graph.store().memory)) return status;
    if (const driver::CUresult status = check_addable(*graph, operation)) return status;
    Node& node = graph->add(std::move(operation));
    try {
        for (const Dependency& each : dependencies) {
            if (graph->connect(*each.node, node, each.data) == driver::CUDA_SUCCESS) continue;
            graph->remove(node);
            return driver::CUDA_ERROR_INVALID_VALUE;
        }
    } catch (...) {
        graph->remove(node);
        throw;
    }
    *position.out = node.handle;
    return driver::CUDA_SUCCESS;
}

/// Adds the node that the parameters describe.
driver::CUresult add_node_from_parameters(const NewNode& position, driver::CUgraphNodeParams& parameters);

/// Changes the parameters of a node. Its kind stays the same.
driver::CUresult change_node(driver::CUgraphNode handle, driver::CUgraphNodeParams parameters);

/// Changes the parameters of a node in an executable graph. Returns an error for changes that require a new
/// instantiation.
driver::CUresult change_executable(driver::CUgraphExec handle, driver::CUgraphNode node, driver::CUgraphNodeParams parameters);

/// Reads the parameters of a node of one kind. `write_parameters(parameters)` writes them to the caller's output.
template <class Write>
driver::CUresult read_node(driver::CUgraphNode handle, driver::CUgraphNodeType type, Write write_parameters) {
    const NodeCheck node(handle);
    if (node.failed()) return node.status;
    return type_of(node->operation) == type ? write_parameters(parameters_of(node->operation)) : driver::CUDA_ERROR_INVALID_VALUE;
}

/// Returns zeroed parameters of one kind.
inline driver::CUgraphNodeParams parameters_for(driver::CUgraphNodeType type) {
    driver::CUgraphNodeParams parameters{};
    parameters.type = type;
    return parameters;
}

}  // namespace CUBIND_NAMESPACE::sim
