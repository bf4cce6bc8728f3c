// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/change_node.hpp"

/// Nodes that wait for values in memory and write them.
namespace CUBIND_NAMESPACE::sim {

namespace {

CUgraphNodeParams operations(const CUDA_BATCH_MEM_OP_NODE_PARAMS& batch) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
    parameters.memOp = {batch.ctx, batch.count, batch.paramArray, batch.flags};
    return parameters;
}

}  // namespace

extern "C" {

CUresult sim_cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                      std::size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    if (nodeParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = operations(*nodeParams);
    return add_node_from_parameters({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, parameters);
}

CUresult sim_cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, [&](const CUgraphNodeParams& parameters) {
        const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& batch = parameters.memOp;
        return write_output(nodeParams_out, CUDA_BATCH_MEM_OP_NODE_PARAMS{batch.ctx, batch.count, batch.paramArray, batch.flags});
    });
}

CUresult sim_cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    return nodeParams != nullptr ? change_node(hNode, operations(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    return nodeParams != nullptr ? change_executable(hGraphExec, hNode, operations(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
