// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/change_node.hpp"

namespace CUBIND_NAMESPACE::sim {

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
    const Valid<NodeCheck> node(hNode);
    return write_output(nodeParams, parameters_of(node->operation));
}

CUresult sim_cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams) {
    return nodeParams != nullptr ? change_executable(hGraphExec, hNode, *nodeParams) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
