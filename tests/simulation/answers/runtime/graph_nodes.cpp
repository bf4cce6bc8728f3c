// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

// The graph nodes of all types that the following questions need.
struct Nodes {
    cudaGraph_t graph;
    cudaGraphNode_t kernel, copy, fill, host, recording, waiting;
    cudaGraphExec_t executable;
};

cudaKernelNodeParams kernel_parameters(const void* kernel) {
    cudaKernelNodeParams parameters{};
    parameters.func = const_cast<void*>(kernel);
    return parameters;
}

cudaMemcpy3DParms copy_parameters(void* to, void* from) {
    cudaMemcpy3DParms parameters{};
    parameters.srcPtr = {from, 64, 64, 1};
    parameters.dstPtr = {to, 64, 64, 1};
    parameters.extent = {64, 1, 1};
    parameters.kind = cudaMemcpyDeviceToDevice;
    return parameters;
}

void ask_about_kernel_nodes(cudaGraph_t graph, const void* nothing, const void* two) {
    unsigned long long pointer = 0;
    unsigned count = 0;
    void* arguments[] = {&pointer, &count};
    cudaKernelNodeParams parameters = kernel_parameters(nothing);
    const cudaGraphNode_t node = ASK(cudaGraphAddKernelNode(graph, nullptr, 0, &parameters)).value;
    ASK(cudaGraphNodeGetType(node));
    ASK(cudaGraphKernelNodeGetParams(node));
    parameters.gridDim = {0, 1, 1};
    ASK(cudaGraphAddKernelNode(graph, nullptr, 0, &parameters));
    ASK(cudaGraphKernelNodeSetParams(node, &parameters));
    parameters.gridDim = {2, 1, 1};
    parameters.blockDim = {2048, 1, 1};
    ASK(cudaGraphAddKernelNode(graph, nullptr, 0, &parameters));
    parameters.blockDim = {32, 1, 1};
    parameters.sharedMemBytes = 1 << 20;
    ASK(cudaGraphAddKernelNode(graph, nullptr, 0, &parameters));
    parameters.sharedMemBytes = 0;
    ASK(cudaGraphKernelNodeSetParams(node, &parameters));
    ASK(cudaGraphKernelNodeGetParams(node));
    parameters = kernel_parameters(two);
    parameters.kernelParams = arguments;
    const cudaGraphNode_t other = ASK(cudaGraphAddKernelNode(graph, &node, 1, &parameters)).value;
    ASK(cudaGraphKernelNodeSetParams(node, &parameters));
    for (int i = 0; i <= 17; ++i) {
        const auto attribute = static_cast<cudaLaunchAttributeID>(i);
        ask(("cudaGraphKernelNodeGetAttribute " + std::to_string(i)).c_str(),
            [&] { return cudaGraphKernelNodeGetAttribute(node, attribute); });
    }
    cudaLaunchAttributeValue value{};
    value.priority = -1;
    ASK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
    value = {};
    value.clusterDim = {3, 1, 1};
    ASK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    ASK(cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(999), &value));
    ASK(cudaGraphKernelNodeCopyAttributes(other, node));
    ASK(cudaGraphKernelNodeGetParams(cudaGraphAddEmptyNode(graph, nullptr, 0).value));
    ASK(cudaGraphMemcpyNodeGetParams(node));
    ASK(cudaGraphMemsetNodeGetParams(node));
    ASK(cudaGraphHostNodeGetParams(node));
    ASK(cudaGraphEventRecordNodeGetEvent(node));
    ASK(cudaGraphChildGraphNodeGetGraph(node));
}

void ask_about_copy_nodes(cudaGraph_t graph, char* memory) {
    static char host[256];
    cudaMemcpy3DParms parameters = copy_parameters(memory, memory + 1024);
    const cudaGraphNode_t node = ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, &parameters)).value;
    ASK(cudaGraphMemcpyNodeGetParams(node));
    parameters.kind = static_cast<cudaMemcpyKind>(9);
    ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, &parameters));
    parameters.kind = cudaMemcpyDeviceToDevice;
    parameters.extent = {};
    ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, &parameters));
    parameters.extent = {128, 1, 1};
    ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, &parameters));
    ASK(cudaGraphMemcpyNodeSetParams(node, &parameters));
    parameters = copy_parameters(memory, static_cast<char*>(bad_pointer));
    ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, &parameters));
    const cudaGraphNode_t linear =
        ASK(cudaGraphAddMemcpyNode1D(graph, nullptr, 0, memory, host, 256, cudaMemcpyHostToDevice)).value;
    ASK(cudaGraphMemcpyNodeGetParams(linear));
    ASK(cudaGraphAddMemcpyNode1D(graph, nullptr, 0, memory, host, 0, cudaMemcpyHostToDevice));
    ASK(cudaGraphAddMemcpyNode1D(graph, nullptr, 0, memory, host, 16, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaGraphAddMemcpyNode1D(graph, nullptr, 0, memory, bad_pointer, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaGraphMemcpyNodeSetParams1D(linear, memory, memory + 1024, 16, cudaMemcpyDefault));
    ASK(cudaGraphMemcpyNodeGetParams(linear));
    cudaMemsetParams fill{memory, 0, 7, 1, 64, 1};
    const cudaGraphNode_t filling = ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill)).value;
    ASK(cudaGraphMemsetNodeGetParams(filling));
    fill.elementSize = 3;
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    ASK(cudaGraphMemsetNodeSetParams(filling, &fill));
    fill = {memory, 0, 0x1ff, 1, 64, 1};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    fill = {memory + 1, 0, 7, 4, 16, 1};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    fill = {memory, 16, 7, 1, 64, 4};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    fill = {memory, 64, 7, 4, 16, 4};
    ASK(cudaGraphMemsetNodeSetParams(filling, &fill));
    ASK(cudaGraphMemsetNodeGetParams(filling));
    fill = {memory, 0, 7, 1, 0, 1};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    fill = {memory, 0, 7, 1, 64, 0};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
    fill = {bad_pointer, 0, 7, 1, 64, 1};
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, &fill));
}

void ask_about_other_nodes(cudaGraph_t graph) {
    const cudaEvent_t event = cudaEventCreate().value;
    cudaHostNodeParams host{do_nothing, nullptr};
    const cudaGraphNode_t calling = ASK(cudaGraphAddHostNode(graph, nullptr, 0, &host)).value;
    REPORT(cudaGraphHostNodeGetParams(calling).value.fn == &do_nothing);
    ASK(cudaGraphHostNodeSetParams(calling, &host));
    host.fn = nullptr;
    ASK(cudaGraphAddHostNode(graph, nullptr, 0, &host));
    const cudaGraphNode_t recording = ASK(cudaGraphAddEventRecordNode(graph, nullptr, 0, event)).value;
    const cudaGraphNode_t waiting = ASK(cudaGraphAddEventWaitNode(graph, nullptr, 0, event)).value;
    REPORT(cudaGraphEventRecordNodeGetEvent(recording).value == event);
    ASK(cudaGraphEventWaitNodeGetEvent(recording));
    ASK(cudaGraphEventRecordNodeSetEvent(recording, cudaEventCreate().value));
    ASK(cudaGraphEventWaitNodeSetEvent(waiting, event));
    const cudaGraph_t child = cudaGraphCreate().value;
    (void)cudaGraphAddEmptyNode(child, nullptr, 0);
    const cudaGraphNode_t inner = ASK(cudaGraphAddChildGraphNode(graph, nullptr, 0, child)).value;
    REPORT(cudaGraphChildGraphNodeGetGraph(inner).value == child);
    ASK(cudaGraphNodeGetType(inner));
    ASK(cudaGraphChildGraphNodeGetGraph(inner));
    cudaGraphNodeParams any{};
    any.type = cudaGraphNodeTypeEmpty;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any.type = cudaGraphNodeTypeHost;
    any.host.fn = do_nothing;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any.reserved0[0] = 1;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any = {};
    any.type = static_cast<cudaGraphNodeType>(99);
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    const auto handle = ASK(cudaGraphConditionalHandleCreate(graph, 1, cudaGraphCondAssignDefault));
    ASK(cudaGraphConditionalHandleCreate(graph, 0, 99));
    any = {};
    any.type = cudaGraphNodeTypeConditional;
    any.conditional.handle = handle.value;
    any.conditional.type = cudaGraphCondTypeIf;
    any.conditional.size = 0;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any.conditional.size = 99;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any.conditional.size = 1;
    any.conditional.type = static_cast<cudaGraphConditionalNodeType>(99);
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    any.conditional.type = cudaGraphCondTypeIf;
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    ASK(cudaGraphAddNode(graph, nullptr, nullptr, 0, any));
    ASK(cudaGetLastError());
    ASK(cudaGraphAddEventRecordNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddEventWaitNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddChildGraphNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddKernelNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddMemcpyNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddMemsetNode(graph, nullptr, 0, nullptr));
    ASK(cudaGraphAddHostNode(graph, nullptr, 0, nullptr));
}

Nodes build(const void* kernel, char* memory, cudaEvent_t event) {
    Nodes nodes{};
    nodes.graph = cudaGraphCreate().value;
    cudaKernelNodeParams parameters = kernel_parameters(kernel);
    const cudaMemcpy3DParms copy = copy_parameters(memory, memory + 1024);
    const cudaMemsetParams fill{memory, 0, 7, 1, 64, 1};
    const cudaHostNodeParams host{do_nothing, nullptr};
    nodes.kernel = cudaGraphAddKernelNode(nodes.graph, nullptr, 0, &parameters).value;
    nodes.copy = cudaGraphAddMemcpyNode(nodes.graph, &nodes.kernel, 1, &copy).value;
    nodes.fill = cudaGraphAddMemsetNode(nodes.graph, &nodes.copy, 1, &fill).value;
    nodes.host = cudaGraphAddHostNode(nodes.graph, &nodes.fill, 1, &host).value;
    nodes.recording = cudaGraphAddEventRecordNode(nodes.graph, &nodes.host, 1, event).value;
    nodes.waiting = cudaGraphAddEventWaitNode(nodes.graph, &nodes.recording, 1, event).value;
    nodes.executable = cudaGraphInstantiate(nodes.graph).value;
    return nodes;
}

}  // namespace

void ask_about_runtime_graph_nodes() {
    const cudaLibrary_t library = load_library();
    const cudaGraph_t graph = cudaGraphCreate().value;
    char* const memory = static_cast<char*>(cudaMalloc(4096).value);
    ask_about_kernel_nodes(graph, get_kernel(library, "nothing"), get_kernel(library, "two"));
    ask_about_copy_nodes(graph, memory);
    ask_about_other_nodes(graph);
}

void ask_about_runtime_graph_updates() {
    const cudaLibrary_t library = load_library();
    const void* const nothing = get_kernel(library, "nothing");
    const void* const limited = get_kernel(library, "limited");
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaEvent_t event = cudaEventCreate().value;
    char* const memory = static_cast<char*>(cudaMalloc(4096).value);
    static char host_memory[256];
    const Nodes nodes = build(nothing, memory, event);
    ASK(cudaGraphLaunch(nodes.executable, stream));
    ASK(cudaStreamSynchronize(stream));
    cudaKernelNodeParams kernel = kernel_parameters(limited);
    ASK(cudaGraphExecKernelNodeSetParams(nodes.executable, nodes.kernel, &kernel));
    kernel.gridDim = {0, 1, 1};
    ASK(cudaGraphExecKernelNodeSetParams(nodes.executable, nodes.kernel, &kernel));
    kernel = kernel_parameters(nothing);
    ASK(cudaGraphExecKernelNodeSetParams(nodes.executable, nodes.copy, &kernel));
    cudaMemcpy3DParms copy = copy_parameters(memory + 2048, memory);
    ASK(cudaGraphExecMemcpyNodeSetParams(nodes.executable, nodes.copy, &copy));
    copy.extent = {32, 1, 1};
    ASK(cudaGraphExecMemcpyNodeSetParams(nodes.executable, nodes.copy, &copy));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(nodes.executable, nodes.copy, memory, memory + 256, 64, cudaMemcpyDeviceToDevice));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(nodes.executable, nodes.copy, memory, host_memory, 64, cudaMemcpyHostToDevice));
    ASK(cudaGraphExecMemcpyNodeSetParams1D(nodes.executable, nodes.fill, memory, memory + 256, 64, cudaMemcpyDeviceToDevice));
    cudaMemsetParams fill{memory, 0, 9, 1, 64, 1};
    ASK(cudaGraphExecMemsetNodeSetParams(nodes.executable, nodes.fill, &fill));
    fill = {memory, 64, 9, 1, 64, 2};
    ASK(cudaGraphExecMemsetNodeSetParams(nodes.executable, nodes.fill, &fill));
    fill = {memory, 0, 9, 4, 16, 1};
    ASK(cudaGraphExecMemsetNodeSetParams(nodes.executable, nodes.fill, &fill));
    const cudaHostNodeParams host{do_nothing, memory};
    ASK(cudaGraphExecHostNodeSetParams(nodes.executable, nodes.host, &host));
    ASK(cudaGraphExecHostNodeSetParams(nodes.executable, nodes.fill, &host));
    ASK(cudaGraphExecEventRecordNodeSetEvent(nodes.executable, nodes.recording, cudaEventCreate().value));
    ASK(cudaGraphExecEventRecordNodeSetEvent(nodes.executable, nodes.waiting, event));
    ASK(cudaGraphExecEventWaitNodeSetEvent(nodes.executable, nodes.waiting, event));
    ASK(cudaGraphNodeGetEnabled(nodes.executable, nodes.kernel));
    ASK(cudaGraphNodeSetEnabled(nodes.executable, nodes.kernel, 0));
    ASK(cudaGraphNodeGetEnabled(nodes.executable, nodes.kernel));
    ASK(cudaGraphNodeSetEnabled(nodes.executable, nodes.kernel, 99));
    ASK(cudaGraphNodeGetEnabled(nodes.executable, nodes.kernel));
    ASK(cudaGraphNodeSetEnabled(nodes.executable, nodes.host, 0));
    ASK(cudaGraphNodeSetEnabled(nodes.executable, nodes.recording, 0));
    const Nodes same = build(nothing, memory, event);
    ASK(cudaGraphExecUpdate(nodes.executable, same.graph));
    ASK(cudaGraphExecKernelNodeSetParams(nodes.executable, same.kernel, &kernel));
    ASK(cudaGraphExecUpdate(nodes.executable, build(limited, memory, event).graph));
    (void)cudaGraphAddEmptyNode(same.graph, nullptr, 0);
    ASK(cudaGraphExecUpdate(nodes.executable, same.graph));
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGraphLaunch(nodes.executable, stream));
    ASK(cudaGraphDestroy(nodes.graph));
    ASK(cudaGraphLaunch(nodes.executable, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaGraphExecDestroy(nodes.executable));
    ASK(cudaGetLastError());
}

}  // namespace answers
