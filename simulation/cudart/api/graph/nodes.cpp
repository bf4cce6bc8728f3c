// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaGraphAddEmptyNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                      std::size_t numDependencies) {
    return call_in_context(cuGraphAddEmptyNode, pGraphNode, graph, pDependencies, numDependencies);
}

cudaError_t sim_cudaGraphAddChildGraphNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                           std::size_t numDependencies, cudaGraph_t childGraph) {
    return call_in_context(cuGraphAddChildGraphNode, pGraphNode, graph, pDependencies, numDependencies, childGraph);
}

cudaError_t sim_cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* pGraph) {
    return call_in_context(cuGraphChildGraphNodeGetGraph, node, pGraph);
}

cudaError_t sim_cudaGraphAddEventRecordNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                            std::size_t numDependencies, cudaEvent_t event) {
    return call_in_context(cuGraphAddEventRecordNode, pGraphNode, graph, pDependencies, numDependencies, event);
}

cudaError_t sim_cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event_out) {
    return call_in_context(cuGraphEventRecordNodeGetEvent, node, event_out);
}

cudaError_t sim_cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return call_in_context(cuGraphEventRecordNodeSetEvent, node, event);
}

cudaError_t sim_cudaGraphAddEventWaitNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                          std::size_t numDependencies, cudaEvent_t event) {
    return call_in_context(cuGraphAddEventWaitNode, pGraphNode, graph, pDependencies, numDependencies, event);
}

cudaError_t sim_cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event_out) {
    return call_in_context(cuGraphEventWaitNodeGetEvent, node, event_out);
}

cudaError_t sim_cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return call_in_context(cuGraphEventWaitNodeSetEvent, node, event);
}

cudaError_t sim_cudaGraphAddHostNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                     std::size_t numDependencies, const cudaHostNodeParams* pNodeParams) {
    return call_in_context(cuGraphAddHostNode, pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
}

cudaError_t sim_cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* pNodeParams) {
    return call_in_context(cuGraphHostNodeGetParams, node, pNodeParams);
}

cudaError_t sim_cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* pNodeParams) {
    return call_in_context(cuGraphHostNodeSetParams, node, pNodeParams);
}

cudaError_t sim_cudaGraphAddMemAllocNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                         std::size_t numDependencies, cudaMemAllocNodeParams* nodeParams) {
    return call_in_context(cuGraphAddMemAllocNode, pGraphNode, graph, pDependencies, numDependencies, nodeParams);
}

cudaError_t sim_cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params_out) {
    return call_in_context(cuGraphMemAllocNodeGetParams, node, params_out);
}

cudaError_t sim_cudaGraphAddMemFreeNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                                        std::size_t numDependencies, void* dptr) {
    return call_in_context(cuGraphAddMemFreeNode, pGraphNode, graph, pDependencies, numDependencies, dptr);
}

cudaError_t sim_cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* dptr_out) {
    return call_in_context(cuGraphMemFreeNodeGetParams, node, dptr_out);
}

cudaError_t sim_cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* pNodeParams) {
    return call_in_context(cuGraphMemsetNodeGetParams, node, pNodeParams);
}

cudaError_t sim_cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* pNodeParams) {
    return call_in_context(cuGraphMemsetNodeSetParams, node, pNodeParams);
}

cudaError_t sim_cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc) {
    return call_in_context(cuGraphKernelNodeCopyAttributes, hDst, hSrc);
}

cudaError_t sim_cudaGraphKernelNodeGetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                cudaLaunchAttributeValue* value_out) {
    return call_in_context(cuGraphKernelNodeGetAttribute, hNode, attr, value_out);
}

cudaError_t sim_cudaGraphKernelNodeSetAttribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                                const cudaLaunchAttributeValue* value) {
    return call_in_context(cuGraphKernelNodeSetAttribute, hNode, attr, value);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
