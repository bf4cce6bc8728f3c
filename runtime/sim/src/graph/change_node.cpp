// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/change_node.hpp"

#include <simulation/functions.hpp>

#include "graph/compare.hpp"

namespace CUBIND_NAMESPACE::sim {

CUresult add_node_from_parameters(const NewNode& position, CUgraphNodeParams& parameters) {
    return add_node(position,
                    [&](const Graph& graph, Operation& operation) { return make_operation(parameters, graph, operation); });
}

CUresult change_node(CUgraphNode handle, CUgraphNodeParams parameters) {
    const NodeCheck node(handle);
    if (node.failed()) return node.status;
    Operation operation;
    if (const CUresult status = make_changed_operation(parameters, *node, operation)) return status;
    node->operation = std::move(operation);
    return CUDA_SUCCESS;
}

namespace {

// Updates a child graph, whose topology must be the same.
CUresult change_child(Node& node, CUgraph handle) {
    const auto* const child = std::get_if<ChildOperation>(&node.operation);
    const auto next = machine().graph_store.graphs.find(handle);
    if (child == nullptr || next == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (compare(*child->graph, *next).result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    replace_operations(*child->graph, *next);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult change_executable(CUgraphExec handle, CUgraphNode original, CUgraphNodeParams parameters) {
    const ExecutableNodeCheck check(handle, original);
    if (check.failed()) return check.status;
    if (parameters.type == CU_GRAPH_NODE_TYPE_GRAPH) return change_child(*check.node, parameters.graph.graph);
    Operation operation;
    if (const CUresult status = make_changed_operation(parameters, *check.node, operation)) return status;
    if (!can_update_to(check.node->operation, operation)) return CUDA_ERROR_INVALID_VALUE;
    check.node->operation = std::move(operation);
    return CUDA_SUCCESS;
}

extern "C" {

CUresult sim_cuGraphAddNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                               const CUgraphEdgeData* dependencyData, std::size_t numDependencies,
                               CUgraphNodeParams* nodeParams) {
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return add_node_from_parameters({phGraphNode, hGraph, dependencies, dependencyData, numDependencies}, *nodeParams);
}

CUresult sim_cuGraphAddNode_v3(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                               const CUgraphEdgeData* dependencyData, std::size_t numDependencies,
                               CUgraphNodeParams* nodeParams) {
    return sim_cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
}

CUresult sim_cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                            std::size_t numDependencies, CUgraphNodeParams* nodeParams) {
    return sim_cuGraphAddNode_v2(phGraphNode, hGraph, dependencies, nullptr, numDependencies, nodeParams);
}

CUresult sim_cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
    return nodeParams != nullptr ? change_node(hNode, *nodeParams) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphNodeSetParams_v2(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
    return sim_cuGraphNodeSetParams(hNode, nodeParams);
}

CUresult sim_cuGraphNodeGetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
    const NodeCheck node(hNode);
    return node.failed() ? node.status : write_output(nodeParams, parameters_of(node->operation));
}

CUresult sim_cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
    return nodeParams != nullptr ? change_executable(hGraphExec, hNode, *nodeParams) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
