// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "graph/node_rules.hpp"
#include "machine/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
    const Valid<GraphsCheck> check;
    if (phGraph == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return write_output(phGraph, check.store().add_graph(0, false)->handle);
}

CUresult sim_cuGraphDestroy(CUgraph hGraph) {
    const Valid<GraphCheck> graph(hGraph);
    if (graph->captures != 0) return CUDA_ERROR_ILLEGAL_STATE;
    if (graph->is_within_node()) return CUDA_ERROR_INVALID_VALUE;  // the node owns it
    graph.store().remove_conditions_of(hGraph);
    graph.store().graphs.remove(hGraph);
    return CUDA_SUCCESS;
}

CUresult sim_cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
    const Valid<GraphCheck> graph(originalGraph);
    if (phGraphClone == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (is_single_instance(*graph) || graph.store().has_conditions_of(originalGraph)) return CUDA_ERROR_NOT_SUPPORTED;
    const auto handle = reinterpret_cast<CUgraph>(new_handle_value());
    std::shared_ptr<Graph> copy;
    if (const CUresult status = graph->copy(handle, &graph.store(), 0, false, copy)) return status;
    graph.store().graphs.add(handle, copy);
    return write_output(phGraphClone, handle);
}

CUresult sim_cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
    const Valid<GraphCheck> clone(hClonedGraph);
    if (hOriginalNode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = std::ranges::find(clone->nodes(), hOriginalNode, [](const auto& node) { return node->original; });
    return found != clone->nodes().end() ? write_output(phNode, (*found)->handle) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphDestroyNode(CUgraphNode hNode) {
    const Valid<NodeCheck> node(hNode);
    Graph& graph = node->graph;
    if (graph.has_memory_nodes()) return CUDA_ERROR_NOT_SUPPORTED;
    graph.remove(*node);
    return CUDA_SUCCESS;
}

CUresult sim_cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
    const Valid<NodeCheck> node(hNode);
    return write_output(type, type_of(node->operation));
}

CUresult sim_cuGraphNodeGetContainingGraph(CUgraphNode hNode, CUgraph* phGraph) {
    const Valid<NodeCheck> node(hNode);
    return write_output(phGraph, node->graph.handle);
}

// IDs distinguish nodes, and graphs. They have no other meaning.
CUresult sim_cuGraphNodeGetLocalId(CUgraphNode hNode, unsigned int* nodeId) {
    const Valid<NodeCheck> node(hNode);
    return write_output(nodeId, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(hNode) / 16));
}

CUresult sim_cuGraphNodeGetToolsId(CUgraphNode hNode, unsigned long long* toolsNodeId) {
    const Valid<NodeCheck> node(hNode);
    return write_output(toolsNodeId, reinterpret_cast<std::uintptr_t>(hNode) / 16ull);
}

CUresult sim_cuGraphGetId(CUgraph hGraph, unsigned int* graphId) {
    const Valid<GraphCheck> graph(hGraph);
    return write_output(graphId, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(hGraph) / 16));
}

CUresult sim_cuGraphExecGetId(CUgraphExec hGraphExec, unsigned int* graphId) {
    const Valid<ExecutableCheck> executable(hGraphExec);
    return write_output(graphId, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(hGraphExec) / 16));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
