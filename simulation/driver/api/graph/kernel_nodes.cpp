// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/node_records.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                     std::size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  std::size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return add_node_from_record({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_KERNEL, [&](const CUgraphNodeParams& parameters) {
        const CUDA_KERNEL_NODE_PARAMS_v3& k = parameters.kernel;
        return write_output(
            nodeParams, CUDA_KERNEL_NODE_PARAMS{k.func, k.gridDimX, k.gridDimY, k.gridDimZ, k.blockDimX, k.blockDimY, k.blockDimZ,
                                                k.sharedMemBytes, k.kernelParams, k.extra, k.kern, k.ctx});
    });
}

CUresult sim_cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return read_node(hNode, CU_GRAPH_NODE_TYPE_KERNEL, [&](const CUgraphNodeParams& parameters) {
        const CUDA_KERNEL_NODE_PARAMS_v3& k = parameters.kernel;
        return write_output(nodeParams,
                            CUDA_KERNEL_NODE_PARAMS_v1{k.func, k.gridDimX, k.gridDimY, k.gridDimZ, k.blockDimX, k.blockDimY,
                                                       k.blockDimZ, k.sharedMemBytes, k.kernelParams, k.extra});
    });
}

CUresult sim_cuGraphKernelNodeSetParams_v2(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return change_node_to_record(hNode, nodeParams);
}

CUresult sim_cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

CUresult sim_cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return change_executable_to_record(hGraphExec, hNode, nodeParams);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
