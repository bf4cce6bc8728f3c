// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_edges() {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraph other = cuGraphCreate(0).value;
    const CUgraphNode a = ASK(cuGraphAddEmptyNode(graph, nullptr, 0)).value;
    const CUgraphNode b = ASK(cuGraphAddEmptyNode(graph, &a, 1)).value;
    const CUgraphNode foreign = cuGraphAddEmptyNode(other, nullptr, 0).value;
    ASK(cuGraphAddEmptyNode(graph, &foreign, 1));
    ASK(cuGraphAddEmptyNode(graph, nullptr, 1));
    const CUgraphNode twice[] = {a, a};
    ASK(cuGraphAddEmptyNode(graph, twice, 2));
    const CUgraphNode null_node = nullptr;
    ASK(cuGraphAddEmptyNode(graph, &null_node, 1));
    ASK(cuGraphGetNodes(graph, nullptr, 0));
    CUgraphNode nodes[8] = {};
    ASK(cuGraphGetNodes(graph, nodes, 1));
    ASK(cuGraphGetNodes(graph, nodes, 8));
    REPORT(nodes[7]);
    ASK(cuGraphGetRootNodes(graph, nullptr, 0));
    ASK(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, 0));
    CUgraphNode from[8] = {};
    CUgraphNode to[8] = {};
    ASK(cuGraphGetEdges(graph, from, to, nullptr, 8));
    ASK(cuGraphGetEdges(graph, from, nullptr, nullptr, 8));
    ASK(cuGraphGetEdges_v1(graph, from, to, 8));
    ASK(cuGraphNodeGetDependencies(b, nullptr, nullptr, 0));
    ASK(cuGraphNodeGetDependentNodes(a, nullptr, nullptr, 0));
    ASK(cuGraphNodeGetDependencies(nullptr, nullptr, nullptr, 0));
    ASK(cuGraphNodeGetDependencies(b, nodes, nullptr, 4));
    REPORT(nodes[0] == a);
    ASK(cuGraphAddDependencies(graph, &a, &b, nullptr, 1));
    ASK(cuGraphAddDependencies(graph, &b, &a, nullptr, 1));
    ASK(cuGraphAddDependencies(graph, &a, &a, nullptr, 1));
    ASK(cuGraphAddDependencies(graph, &a, &foreign, nullptr, 1));
    ASK(cuGraphAddDependencies(graph, nullptr, nullptr, nullptr, 1));
    ASK(cuGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0));
    ASK(cuGraphRemoveDependencies(graph, &a, &b, nullptr, 1));
    ASK(cuGraphRemoveDependencies(graph, &a, &b, nullptr, 1));
    ASK(cuGraphRemoveDependencies(graph, nullptr, nullptr, nullptr, 0));
    CUgraphEdgeData edge{};
    edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    ASK(cuGraphAddDependencies(graph, &a, &b, &edge, 1));
    edge.type = 9;
    ASK(cuGraphAddDependencies(graph, &a, &b, &edge, 1));
    ASK(cuGraphNodeGetType(a));
    ASK(cuGraphNodeGetType(nullptr));
    ASK(cuGraphDestroyNode(b));
    ASK(cuGraphDestroyNode(nullptr));
    ASK(cuGraphDestroy(graph));
}

void ask_about_executables(CUstream stream) {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUDA_HOST_NODE_PARAMS call{do_nothing, nullptr};
    const CUgraphNode node = cuGraphAddHostNode(graph, nullptr, 0, &call).value;
    const CUgraphExec exec = ASK(cuGraphInstantiate(graph, 0)).value;
    ASK(cuGraphInstantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    ASK(cuGraphInstantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD));
    ASK(cuGraphInstantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
    ASK(cuGraphInstantiate(graph, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY));
    ASK(cuGraphInstantiate(graph, 0x1000));
    ASK(cuGraphInstantiate(nullptr, 0));
    ASK(cuGraphInstantiate_v2(graph, nullptr, 0));
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    const auto with_parameters = ASK(cuGraphInstantiateWithParams(graph, parameters));
    REPORT(with_parameters.value2.result_out);
    parameters.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
    parameters.hUploadStream = stream;
    ASK(cuGraphInstantiateWithParams(graph, parameters));
    parameters.flags = 0x1000;
    ASK(cuGraphInstantiateWithParams(graph, parameters));
    ASK(cuGraphExecGetFlags(exec));
    ASK(cuGraphExecGetFlags(nullptr));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuGraphLaunch(exec, nullptr));
    ASK(cuGraphLaunch(exec, CU_STREAM_PER_THREAD));
    ASK(cuGraphLaunch(nullptr, stream));
    ASK(cuGraphUpload(exec, stream));
    ASK(cuGraphUpload(nullptr, stream));
    ASK(cuCtxSynchronize());
    ASK(cuGraphNodeGetEnabled(exec, node));
    ASK(cuGraphNodeSetEnabled(exec, node, 0));
    ASK(cuGraphNodeSetEnabled(nullptr, node, 0));
    ASK(cuGraphExecDestroy(exec));
    ASK(cuGraphExecDestroy(nullptr));
    const CUgraph empty = cuGraphCreate(0).value;
    const CUgraphExec of_empty = ASK(cuGraphInstantiate(empty, 0)).value;
    ASK(cuGraphLaunch(of_empty, stream));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_clones() {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraphNode node = cuGraphAddEmptyNode(graph, nullptr, 0).value;
    const CUgraph clone = ASK(cuGraphClone(graph)).value;
    ASK(cuGraphClone(nullptr));
    ASK(cuGraphNodeFindInClone(node, clone));
    ASK(cuGraphNodeFindInClone(node, graph));
    ASK(cuGraphNodeFindInClone(nullptr, clone));
    const CUgraphNode later = cuGraphAddEmptyNode(graph, nullptr, 0).value;
    ASK(cuGraphNodeFindInClone(later, clone));
    const CUgraph parent = cuGraphCreate(0).value;
    const CUgraphNode child = ASK(cuGraphAddChildGraphNode(parent, nullptr, 0, graph)).value;
    ASK(cuGraphAddChildGraphNode(parent, nullptr, 0, nullptr));
    ASK(cuGraphAddChildGraphNode(parent, nullptr, 0, parent));
    const CUgraph embedded = ASK(cuGraphChildGraphNodeGetGraph(child)).value;
    REPORT(embedded == graph);
    ASK(cuGraphDestroy(embedded));
    ASK(cuGraphChildGraphNodeGetGraph(node));
    ASK(cuGraphChildGraphNodeGetGraph(nullptr));
    ASK(cuGraphDebugDotPrint(graph, "/nonexistent/folder/file", 0));
    ASK(cuGraphDebugDotPrint(graph, nullptr, 0));
    ASK(cuGraphDebugDotPrint(nullptr, "/dev/null", 0));
    ASK(cuGraphDebugDotPrint(graph, "/dev/null", 0));
}

}  // namespace

void ask_about_graphs() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    ASK(cuGraphCreate(0));
    ASK(cuGraphCreate(1));
    ASK(cuGraphDestroy(nullptr));
    ASK(cuGraphAddEmptyNode(nullptr, nullptr, 0));
    ASK(cuGraphGetNodes(nullptr, nullptr, 0));
    ask_about_edges();
    ask_about_executables(stream);
    ask_about_clones();
}

void ask_about_user_objects() {
    use_device();
    int value = 0;
    const CUuserObject object = ASK(cuUserObjectCreate(&value, do_nothing, 3, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)).value;
    ASK(cuUserObjectCreate(&value, do_nothing, 1, 0));
    ASK(cuUserObjectCreate(&value, do_nothing, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASK(cuUserObjectCreate(&value, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASK(cuUserObjectCreate(nullptr, do_nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASK(cuUserObjectCreate(&value, do_nothing, 0x80000000, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    ASK(cuUserObjectRetain(object, 1));
    ASK(cuUserObjectRetain(object, 0));
    ASK(cuUserObjectRetain(nullptr, 1));
    ASK(cuUserObjectRelease(object, 1));
    ASK(cuUserObjectRelease(object, 0));
    ASK(cuUserObjectRelease(nullptr, 1));
    const CUgraph graph = cuGraphCreate(0).value;
    ASK(cuGraphRetainUserObject(graph, object, 1, 0));
    ASK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    ASK(cuGraphRetainUserObject(graph, object, 0, 0));
    ASK(cuGraphRetainUserObject(graph, object, 1, 9));
    ASK(cuGraphRetainUserObject(graph, nullptr, 1, 0));
    ASK(cuGraphRetainUserObject(nullptr, object, 1, 0));
    ASK(cuGraphReleaseUserObject(graph, object, 1));
    ASK(cuGraphReleaseUserObject(graph, object, 9));
    ASK(cuGraphReleaseUserObject(graph, object, 0));
    ASK(cuGraphDestroy(graph));
}

}  // namespace answers
