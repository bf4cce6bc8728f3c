// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "convert/node_params.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// Calls a function of the driver with converted parameters, and writes the outputs among them.
template <class Call>
cudaError_t with_parameters(cudaGraphNodeParams* parameters, Call&& function) {
    CUgraphNodeParams converted;
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = to_driver(*parameters, converted)) return status;
    const cudaError_t status = status_of(function(converted));
    if (parameters->type == cudaGraphNodeTypeMemAlloc) parameters->alloc.dptr = as<void*>(converted.alloc.dptr);
    if (parameters->type == cudaGraphNodeTypeConditional) parameters->conditional.phGraph_out = converted.conditional.phGraph_out;
    return status;
}

cudaError_t create_handle(cudaGraphConditionalHandle* out, cudaGraph_t graph, CUcontext context, unsigned int initial,
                          unsigned int flags) {
    return status_of(cuGraphConditionalHandleCreate(as<CUgraphConditionalHandle*>(out), graph, context, initial, flags));
}

}  // namespace

extern "C" {

cudaError_t sim_cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                 const cudaGraphEdgeData* dependencyData, std::size_t numDependencies,
                                 cudaGraphNodeParams* nodeParams) {
    return with_parameters(nodeParams, [&](CUgraphNodeParams& converted) {
        return cuGraphAddNode_v2(pGraphNode, graph, pDependencies, as<const CUgraphEdgeData*>(dependencyData), numDependencies,
                                 &converted);
    });
}

cudaError_t sim_cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* nodeParams) {
    return with_parameters(nodeParams, [&](CUgraphNodeParams& converted) { return cuGraphNodeSetParams(node, &converted); });
}

cudaError_t sim_cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node, cudaGraphNodeParams* nodeParams) {
    return with_parameters(nodeParams,
                           [&](CUgraphNodeParams& converted) { return cuGraphExecNodeSetParams(graphExec, node, &converted); });
}

cudaError_t sim_cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams* nodeParams) {
    CUgraphNodeParams parameters = {};
    if (nodeParams == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_since(13020, cuGraphNodeGetParams, node, &parameters)) return status;
    return from_driver(parameters, *nodeParams);
}

cudaError_t sim_cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* pHandle_out, cudaGraph_t graph,
                                                 unsigned int defaultLaunchValue, unsigned int flags) {
    CUcontext context = nullptr;
    if (const cudaError_t status = call_in_context(cuCtxGetCurrent, &context)) return status;
    return create_handle(pHandle_out, graph, context, defaultLaunchValue, flags);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
