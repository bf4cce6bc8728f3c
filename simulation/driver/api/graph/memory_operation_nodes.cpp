// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/node_records.hpp"

/// Nodes that wait for values in memory and write them.
namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                      std::size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, [&](const CUgraphNodeParams& parameters) {
        const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& batch = parameters.memOp;
        return write_output(nodeParams_out, CUDA_BATCH_MEM_OP_NODE_PARAMS{batch.ctx, batch.count, batch.paramArray, batch.flags});
    });
}

CUresult sim_cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
