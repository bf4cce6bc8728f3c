// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "api/graph/change_node.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUgraphNodeParams kernel(const CUDA_KERNEL_NODE_PARAMS& k) {
    CUgraphNodeParams parameters = parameters_for(CU_GRAPH_NODE_TYPE_KERNEL);
    parameters.kernel = {k.func,      k.gridDimX,       k.gridDimY,     k.gridDimZ, k.blockDimX, k.blockDimY,
                         k.blockDimZ, k.sharedMemBytes, k.kernelParams, k.extra,    k.kern,      k.ctx};
    return parameters;
}

// The first version of the struct has a function only, and no kernel or context.
CUgraphNodeParams kernel(const CUDA_KERNEL_NODE_PARAMS_v1& k) {
    return kernel(CUDA_KERNEL_NODE_PARAMS{k.func, k.gridDimX, k.gridDimY, k.gridDimZ, k.blockDimX, k.blockDimY, k.blockDimZ,
                                          k.sharedMemBytes, k.kernelParams, k.extra, nullptr, nullptr});
}

template <class Record>
CUresult add_kernel(const NewNode& position, const Record* record) {
    if (record == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = kernel(*record);
    return add_node_from_parameters(position, parameters);
}

}  // namespace

extern "C" {

CUresult sim_cuGraphAddKernelNode_v2(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                     std::size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return add_kernel({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
}

CUresult sim_cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  std::size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return add_kernel({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, nodeParams);
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
    return nodeParams != nullptr ? change_node(hNode, kernel(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return nodeParams != nullptr ? change_node(hNode, kernel(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphExecKernelNodeSetParams_v2(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS* nodeParams) {
    return nodeParams != nullptr ? change_executable(hGraphExec, hNode, kernel(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_KERNEL_NODE_PARAMS_v1* nodeParams) {
    return nodeParams != nullptr ? change_executable(hGraphExec, hNode, kernel(*nodeParams)) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
