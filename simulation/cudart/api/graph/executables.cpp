// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, unsigned long long flags) {
    return call_in_context(cuGraphInstantiateWithFlags, pGraphExec, graph, flags);
}

cudaError_t sim_cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, unsigned long long flags) {
    return call_in_context(cuGraphInstantiateWithFlags, pGraphExec, graph, flags);
}

cudaError_t sim_cudaGraphInstantiateWithParams(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                               cudaGraphInstantiateParams* instantiateParams) {
    return call_in_context(cuGraphInstantiateWithParams, pGraphExec, graph, instantiateParams);
}

cudaError_t sim_cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
    return call_in_context(cuGraphExecDestroy, graphExec);
}

cudaError_t sim_cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long* flags) {
    return call_in_context(cuGraphExecGetFlags, graphExec, flags);
}

cudaError_t sim_cudaGraphExecGetId(cudaGraphExec_t hGraphExec, unsigned int* graphID) {
    return call_since(13010, cuGraphExecGetId, hGraphExec, graphID);
}

cudaError_t sim_cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo* resultInfo) {
    return call_in_context(cuGraphExecUpdate_v2, hGraphExec, hGraph, resultInfo);
}

cudaError_t sim_cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
    return call_in_context(cuGraphLaunch, graphExec, driver_stream(stream));
}

cudaError_t sim_cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
    return call_in_context(cuGraphUpload, graphExec, driver_stream(stream));
}

cudaError_t sim_cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int* isEnabled) {
    return call_in_context(cuGraphNodeGetEnabled, hGraphExec, hNode, isEnabled);
}

cudaError_t sim_cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled) {
    return call_in_context(cuGraphNodeSetEnabled, hGraphExec, hNode, isEnabled);
}

cudaError_t sim_cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, cudaGraph_t childGraph) {
    return call_in_context(cuGraphExecChildGraphNodeSetParams, hGraphExec, node, childGraph);
}

cudaError_t sim_cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {
    return call_in_context(cuGraphExecEventRecordNodeSetEvent, hGraphExec, hNode, event);
}

cudaError_t sim_cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {
    return call_in_context(cuGraphExecEventWaitNodeSetEvent, hGraphExec, hNode, event);
}

cudaError_t sim_cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               const cudaHostNodeParams* pNodeParams) {
    return call_in_context(cuGraphExecHostNodeSetParams, hGraphExec, node, pNodeParams);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
