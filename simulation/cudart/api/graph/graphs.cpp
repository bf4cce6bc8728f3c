// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags) {
    return call_in_context(cuGraphCreate, pGraph, flags);
}

cudaError_t sim_cudaGraphDestroy(cudaGraph_t graph) {
    return call_in_context(cuGraphDestroy, graph);
}

cudaError_t sim_cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph) {
    return call_in_context(cuGraphClone, pGraphClone, originalGraph);
}

cudaError_t sim_cudaGraphGetId(cudaGraph_t hGraph, unsigned int* graphID) {
    return call_since(13010, cuGraphGetId, hGraph, graphID);
}

cudaError_t sim_cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* numNodes) {
    return call_in_context(cuGraphGetNodes, graph, nodes, numNodes);
}

cudaError_t sim_cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes, std::size_t* pNumRootNodes) {
    return call_in_context(cuGraphGetRootNodes, graph, pRootNodes, pNumRootNodes);
}

cudaError_t sim_cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edgeData,
                                  std::size_t* numEdges) {
    return call_in_context(cuGraphGetEdges_v2, graph, from, to, edgeData, numEdges);
}

cudaError_t sim_cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                         const cudaGraphEdgeData* edgeData, std::size_t numDependencies) {
    return call_in_context(cuGraphAddDependencies_v2, graph, from, to, edgeData, numDependencies);
}

cudaError_t sim_cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edgeData, std::size_t numDependencies) {
    return call_in_context(cuGraphRemoveDependencies_v2, graph, from, to, edgeData, numDependencies);
}

cudaError_t sim_cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies, cudaGraphEdgeData* edgeData,
                                             std::size_t* pNumDependencies) {
    return call_in_context(cuGraphNodeGetDependencies_v2, node, pDependencies, edgeData, pNumDependencies);
}

cudaError_t sim_cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                               cudaGraphEdgeData* edgeData, std::size_t* pNumDependentNodes) {
    return call_in_context(cuGraphNodeGetDependentNodes_v2, node, pDependentNodes, edgeData, pNumDependentNodes);
}

cudaError_t sim_cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* pType) {
    return call_in_context(cuGraphNodeGetType, node, pType);
}

cudaError_t sim_cudaGraphNodeGetContainingGraph(cudaGraphNode_t hNode, cudaGraph_t* phGraph) {
    return call_since(13010, cuGraphNodeGetContainingGraph, hNode, phGraph);
}

cudaError_t sim_cudaGraphNodeGetLocalId(cudaGraphNode_t hNode, unsigned int* nodeId) {
    return call_since(13010, cuGraphNodeGetLocalId, hNode, nodeId);
}

cudaError_t sim_cudaGraphNodeGetToolsId(cudaGraphNode_t hNode, unsigned long long* toolsNodeId) {
    return call_since(13010, cuGraphNodeGetToolsId, hNode, toolsNodeId);
}

cudaError_t sim_cudaGraphNodeFindInClone(cudaGraphNode_t* pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph) {
    return call_in_context(cuGraphNodeFindInClone, pNode, originalNode, clonedGraph);
}

cudaError_t sim_cudaGraphDestroyNode(cudaGraphNode_t node) {
    return call_in_context(cuGraphDestroyNode, node);
}

cudaError_t sim_cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags) {
    return call_in_context(cuGraphDebugDotPrint, graph, path, flags | CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
}

cudaError_t sim_cudaUserObjectCreate(cudaUserObject_t* object_out, void* ptr, cudaHostFn_t destroy, unsigned int initialRefcount,
                                     unsigned int flags) {
    return call_in_context(cuUserObjectCreate, object_out, ptr, destroy, initialRefcount, flags);
}

cudaError_t sim_cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
    return call_in_context(cuUserObjectRetain, object, count);
}

cudaError_t sim_cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
    return call_in_context(cuUserObjectRelease, object, count);
}

cudaError_t sim_cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count, unsigned int flags) {
    return call_in_context(cuGraphRetainUserObject, graph, object, count, flags);
}

cudaError_t sim_cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
    return call_in_context(cuGraphReleaseUserObject, graph, object, count);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
