// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "api/graph/change_node.hpp"

#include "graph/compare.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult add_node_from_parameters(const NewNode& position, CUgraphNodeParams& parameters) {
    return add_node(position,
                    [&](const Graph& graph, Operation& operation) { return make_operation(parameters, graph, operation); });
}

CUresult change_node(CUgraphNode handle, CUgraphNodeParams parameters) {
    const Valid<NodeCheck> node(handle);
    Operation operation;
    if (const CUresult status = make_changed_operation(parameters, *node, operation)) return status;
    node->operation = std::move(operation);
    return CUDA_SUCCESS;
}

namespace {

// Updates a child graph, whose topology must be the same.
CUresult change_child(const ExecutableNodeCheck& check, CUgraphNode original, CUgraph handle) {
    const auto* const child = std::get_if<ChildOperation>(&check.node->operation);
    const auto next = machine().graph_store.graphs.find(handle);
    if (child == nullptr || next == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (compare(*child->graph, *next, machine().graph_store.memory).result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    replace_operations(*std::get<ChildOperation>(check->change(original).operation).graph, *next);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult change_executable(CUgraphExec handle, CUgraphNode original, CUgraphNodeParams parameters) {
    const Valid<ExecutableNodeCheck> check(handle, original);
    if (parameters.type == CU_GRAPH_NODE_TYPE_GRAPH) return change_child(check, original, parameters.graph.graph);
    Operation operation;
    if (const CUresult status = make_changed_operation(parameters, *check.node, operation)) return status;
    if (!can_update_to(check.node->operation, operation, check.store().memory)) return CUDA_ERROR_INVALID_VALUE;
    check->change(original).operation = std::move(operation);
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
