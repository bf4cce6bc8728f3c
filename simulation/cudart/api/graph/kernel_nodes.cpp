// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "convert/node_params.hpp"
#include "state/call.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaGraphAddKernelNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                       std::size_t numDependencies, const cudaKernelNodeParams* pNodeParams) {
    CUDA_KERNEL_NODE_PARAMS converted;
    if (pNodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = to_driver(*pNodeParams, converted)) return status;
    return call(cuGraphAddKernelNode_v2, pGraphNode, graph, pDependencies, numDependencies, &converted);
}

// Returns only kernels of host functions.
cudaError_t sim_cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* pNodeParams) {
    CUDA_KERNEL_NODE_PARAMS parameters = {};
    if (pNodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_in_context(cuGraphKernelNodeGetParams_v2, node, &parameters)) return status;
    if (host_function_of(parameters.kern, parameters.func) == nullptr) return cudaErrorInvalidDeviceFunction;
    *pNodeParams = from_driver(parameters);
    return cudaSuccess;
}

cudaError_t sim_cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* pNodeParams) {
    CUDA_KERNEL_NODE_PARAMS converted;
    if (pNodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = to_driver(*pNodeParams, converted)) return status;
    return call(cuGraphKernelNodeSetParams_v2, node, &converted);
}

cudaError_t sim_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                 const cudaKernelNodeParams* pNodeParams) {
    CUDA_KERNEL_NODE_PARAMS converted;
    if (pNodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = to_driver(*pNodeParams, converted)) return status;
    return call(cuGraphExecKernelNodeSetParams_v2, hGraphExec, node, &converted);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
