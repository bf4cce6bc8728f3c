// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

void ask_about_edges(cudaGraph_t graph, cudaGraphNode_t first, cudaGraphNode_t second) {
    cudaGraphNode_t nodes[8] = {};
    cudaGraphNode_t others[8] = {};
    cudaGraphEdgeData data[8] = {};
    ASK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1));
    ASK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1));
    ASK(cudaGraphAddDependencies(graph, &second, &first, nullptr, 1));
    ASK(cudaGraphAddDependencies(graph, &first, &first, nullptr, 1));
    ASK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 0));
    ASK(cudaGraphGetNodes(graph, nullptr, 0));
    ASK(cudaGraphGetNodes(graph, nodes, 8));
    ASK(cudaGraphGetNodes(graph, nodes, 1));
    ASK(cudaGraphGetRootNodes(graph, nullptr, 0));
    ASK(cudaGraphGetRootNodes(graph, nodes, 8));
    ASK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, 0));
    ASK(cudaGraphGetEdges(graph, nodes, others, nullptr, 8));
    ASK(cudaGraphGetEdges(graph, nodes, others, data, 8));
    ASK(cudaGraphNodeGetDependencies(second, nullptr, nullptr, 0));
    ASK(cudaGraphNodeGetDependencies(second, nodes, nullptr, 8));
    ASK(cudaGraphNodeGetDependentNodes(first, nodes, data, 8));
    ASK(cudaGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
    ASK(cudaGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
    data[0].type = 99;
    ASK(cudaGraphAddDependencies(graph, &first, &second, data, 1));
    data[0].type = cudaGraphDependencyTypeProgrammatic;
    ASK(cudaGraphAddDependencies(graph, &first, &second, data, 1));
    data[0] = {};
    data[0].from_port = 9;
    ASK(cudaGraphAddDependencies(graph, &first, &second, data, 1));
}

void ask_about_user_objects(cudaGraph_t graph) {
    const cudaUserObject_t object = ASK(cudaUserObjectCreate(nullptr, do_nothing, 1, cudaUserObjectNoDestructorSync)).value;
    ASK(cudaUserObjectCreate(nullptr, do_nothing, 1, 0));
    ASK(cudaUserObjectCreate(nullptr, do_nothing, 1, 99));
    ASK(cudaUserObjectCreate(nullptr, do_nothing, 0, cudaUserObjectNoDestructorSync));
    ASK(cudaUserObjectRetain(object, 2));
    ASK(cudaUserObjectRetain(object, 0));
    ASK(cudaUserObjectRelease(object, 1));
    ASK(cudaUserObjectRelease(object, 0));
    ASK(cudaGraphRetainUserObject(graph, object, 1, 0));
    ASK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    ASK(cudaGraphRetainUserObject(graph, object, 0, 0));
    ASK(cudaGraphRetainUserObject(graph, object, 1, 99));
    ASK(cudaGraphReleaseUserObject(graph, object, 1));
    ASK(cudaUserObjectCreate(nullptr, nullptr, 1, cudaUserObjectNoDestructorSync));
}

}  // namespace

void ask_about_runtime_graphs() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaGraph_t graph = ASK(cudaGraphCreate(0)).value;
    ASK(cudaGraphCreate(1));
    ASK(cudaGraphCreate(0xffff));
    ASK(cuDevicePrimaryCtxGetState(0));
    const cudaGraphNode_t first = ASK(cudaGraphAddEmptyNode(graph, nullptr, 0)).value;
    const cudaGraphNode_t second = ASK(cudaGraphAddEmptyNode(graph, &first, 1)).value;
    ASK(cudaGraphNodeGetType(first));
    ask_about_edges(graph, first, second);
    const cudaGraph_t clone = ASK(cudaGraphClone(graph)).value;
    ASK(cudaGraphNodeFindInClone(first, clone));
    ASK(cudaGraphNodeFindInClone(first, graph));
    ASK(cudaGraphDestroyNode(second));
    ASK(cudaGraphNodeFindInClone(first, clone));
    ask("cudaGraphGetId(graph)", [&] { return cubind::Result<cudaError_t>{cudaGraphGetId(graph).status}; });
    ASK(cudaGraphNodeGetLocalId(first));
    ASK(cudaGraphNodeGetToolsId(first));
    ASK(cudaGraphNodeGetContainingGraph(first));
    for (const unsigned long long flags : {0ull, 1ull, 2ull, 4ull, 8ull, 15ull, 16ull, 1ull << 40}) {
        const auto executable = ask(("cudaGraphInstantiate flags " + std::to_string(flags)).c_str(),
                                    [&] { return cudaGraphInstantiate(graph, flags); });
        ask(("cudaGraphInstantiateWithFlags " + std::to_string(flags)).c_str(),
            [&] { return cudaGraphInstantiateWithFlags(graph, flags); });
        if (executable.ok()) REPORT(static_cast<int>(cudaGraphExecGetFlags(executable.value).value));
    }
    cudaGraphInstantiateParams parameters{};
    ASK(cudaGraphInstantiateWithParams(graph, parameters));
    parameters.flags = cudaGraphInstantiateFlagUpload;
    parameters.uploadStream = stream;
    ASK(cudaGraphInstantiateWithParams(graph, parameters));
    parameters.flags = 0x100;
    ASK(cudaGraphInstantiateWithParams(graph, parameters));
    const cudaGraphExec_t executable = ASK(cudaGraphInstantiate(graph)).value;
    ask("cudaGraphExecGetId(executable)", [&] { return cubind::Result<cudaError_t>{cudaGraphExecGetId(executable).status}; });
    ASK(cudaGraphUpload(executable, stream));
    ASK(cudaGraphLaunch(executable, stream));
    ASK(cudaGraphLaunch(executable, nullptr));
    ASK(cudaGraphLaunch(executable, cudaStreamPerThread));
    ASK(cudaDeviceSynchronize());
    ASK(cudaGraphExecUpdate(executable, graph));
    const cudaGraph_t empty = cudaGraphCreate().value;
    ASK(cudaGraphExecUpdate(executable, empty));
    ASK(cudaGraphInstantiate(empty));
    ASK(cudaGraphLaunch(ASK(cudaGraphInstantiate(empty)).value, stream));
    ASK(cudaGraphDebugDotPrint(graph, "/nothing/of/this/name", 0));
    ask_about_user_objects(graph);
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaGraphExecDestroy(executable));
    ASK(cudaGraphDestroy(clone));
    ASK(cudaGraphDestroy(graph));
    ASK(cudaGetLastError());
    ASK(cudaGraphDestroy(nullptr));
    ASK(cudaGraphExecDestroy(nullptr));
    ASK(cudaGraphLaunch(nullptr, stream));
    ASK(cudaGraphUpload(nullptr, stream));
    ASK(cudaGraphInstantiate(nullptr));
    ASK(cudaGraphClone(nullptr));
    ASK(cudaGraphAddEmptyNode(nullptr, nullptr, 0));
    ASK(cudaGraphAddEmptyNode(empty, nullptr, 1));
    ASK(cudaGraphNodeGetType(nullptr));
    ASK(cudaGraphDestroyNode(nullptr));
    ASK(cudaGraphGetNodes(nullptr, nullptr, 0));
}

void ask_about_runtime_graph_memory() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaGraph_t graph = cudaGraphCreate().value;
    cudaMemAllocNodeParams memory{};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location = {cudaMemLocationTypeDevice, {0}};
    memory.bytesize = 4096;
    const auto allocated = ASK(cudaGraphAddMemAllocNode(graph, nullptr, 0, memory));
    const cudaGraphNode_t node = allocated.value1;
    ASK(cudaGraphMemAllocNodeGetParams(node));
    memory.bytesize = 0;
    ASK(cudaGraphAddMemAllocNode(graph, nullptr, 0, memory));
    memory.bytesize = 4096;
    memory.poolProps.location.id = 99;
    ASK(cudaGraphAddMemAllocNode(graph, nullptr, 0, memory));
    memory.poolProps.location = {};
    ASK(cudaGraphAddMemAllocNode(graph, nullptr, 0, memory));
    memory.poolProps.location = {cudaMemLocationTypeDevice, {0}};
    memory.poolProps.allocType = cudaMemAllocationTypeInvalid;
    ASK(cudaGraphAddMemAllocNode(graph, nullptr, 0, memory));
    ASK(cudaGraphClone(graph));
    ASK(cudaGraphDestroyNode(node));
    ASK(cudaGraphAddMemFreeNode(graph, nullptr, 0, allocated.value2.dptr));
    const cudaGraphNode_t freed = ASK(cudaGraphAddMemFreeNode(graph, &node, 1, allocated.value2.dptr)).value;
    ASK(cudaGraphAddMemFreeNode(graph, &node, 1, allocated.value2.dptr));
    ASK(cudaGraphAddMemFreeNode(graph, &node, 1, bad_pointer));
    void* pointer = nullptr;
    ASK(cudaGraphMemFreeNodeGetParams(freed, &pointer));
    REPORT(pointer == allocated.value2.dptr);
    const cudaGraphExec_t executable = ASK(cudaGraphInstantiate(graph)).value;
    ASK(cudaGraphInstantiate(graph));
    ASK(cudaGraphLaunch(executable, stream));
    ASK(cudaGraphLaunch(executable, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaDeviceGraphMemTrim(0));
    ASK(cudaGraphAddChildGraphNode(cudaGraphCreate().value, nullptr, 0, graph));
    ASK(cudaGraphExecDestroy(executable));
    ASK(cudaGraphDestroy(graph));
    ASK(cudaGetLastError());
}

}  // namespace answers
