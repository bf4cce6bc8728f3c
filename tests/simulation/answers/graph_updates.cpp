// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void do_nothing_either(void*) {}

CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr memory, std::size_t width) {
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = memory;
    fill.elementSize = 1;
    fill.width = width;
    fill.height = 1;
    return fill;
}

void ask_about_whole_updates(CUcontext context, CUdeviceptr memory) {
    const CUDA_MEMSET_NODE_PARAMS fill = fill_of(memory, 64);
    const CUDA_HOST_NODE_PARAMS call{do_nothing, nullptr};
    const CUgraph original = cuGraphCreate(0).value;
    const CUgraphNode first = cuGraphAddMemsetNode(original, nullptr, 0, &fill, context).value;
    cuGraphAddHostNode(original, &first, 1, &call).ok();
    const CUgraphExec exec = cuGraphInstantiate(original, 0).value;
    ASK(cuGraphExecUpdate(exec, original));
    ASK(cuGraphExecUpdate(nullptr, original));
    ASK(cuGraphExecUpdate(exec, nullptr));
    const auto update = [&](const char* name, CUgraph graph) {
        const auto [status, info] = cuGraphExecUpdate(exec, graph);
        report(name, text_of(status) + ' ' + text_of(info));
        return status;
    };
    const CUgraph empty = cuGraphCreate(0).value;
    update("update to an empty graph", empty);
    const CUgraph fewer = cuGraphCreate(0).value;
    cuGraphAddMemsetNode(fewer, nullptr, 0, &fill, context).ok();
    update("update to fewer nodes", fewer);
    const CUgraph apart = cuGraphCreate(0).value;
    cuGraphAddMemsetNode(apart, nullptr, 0, &fill, context).ok();
    cuGraphAddHostNode(apart, nullptr, 0, &call).ok();
    update("update to fewer edges", apart);
    const CUgraph exchanged = cuGraphCreate(0).value;
    const CUgraphNode host = cuGraphAddHostNode(exchanged, nullptr, 0, &call).value;
    cuGraphAddMemsetNode(exchanged, &host, 1, &fill, context).ok();
    update("update to exchanged types", exchanged);
    const CUgraph changed = cuGraphCreate(0).value;
    const CUDA_MEMSET_NODE_PARAMS other = fill_of(memory + 128, 32);
    const CUDA_HOST_NODE_PARAMS other_call{do_nothing_either, nullptr};
    const CUgraphNode filled = cuGraphAddMemsetNode(changed, nullptr, 0, &other, context).value;
    cuGraphAddHostNode(changed, &filled, 1, &other_call).ok();
    update("update to other parameters", changed);
    ASK(cuGraphExecUpdate_v1(exec, changed));
    ASK(cuGraphExecUpdate_v1(exec, empty));
}

void ask_about_single_updates(CUcontext context, CUdeviceptr memory) {
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(memory, 64);
    CUDA_HOST_NODE_PARAMS call{do_nothing, nullptr};
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstDevice = memory + 2048;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    const CUmodule module = cuModuleLoadData(ptx).value;
    CUDA_KERNEL_NODE_PARAMS launch{};
    launch.func = cuModuleGetFunction(module, "nothing").value;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    const CUevent event = cuEventCreate(0).value;
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraph child = cuGraphCreate(0).value;
    cuGraphAddEmptyNode(child, nullptr, 0).ok();
    const CUgraphNode filled = cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context).value;
    const CUgraphNode copied = cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context).value;
    const CUgraphNode called = cuGraphAddHostNode(graph, nullptr, 0, &call).value;
    const CUgraphNode launched = cuGraphAddKernelNode(graph, nullptr, 0, &launch).value;
    const CUgraphNode recorded = cuGraphAddEventRecordNode(graph, nullptr, 0, event).value;
    const CUgraphNode waited = cuGraphAddEventWaitNode(graph, nullptr, 0, event).value;
    const CUgraphNode nested = cuGraphAddChildGraphNode(graph, nullptr, 0, child).value;
    const CUgraphNode empty = cuGraphAddEmptyNode(graph, nullptr, 0).value;
    const CUgraphExec exec = ASK(cuGraphInstantiate(graph, 0)).value;
    ASK(cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
    fill.width = 128;
    ASK(cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
    fill.elementSize = 3;
    ASK(cuGraphExecMemsetNodeSetParams(exec, filled, &fill, context));
    ASK(cuGraphExecMemsetNodeSetParams(exec, filled, nullptr, context));
    ASK(cuGraphExecMemsetNodeSetParams(exec, copied, &fill, context));
    ASK(cuGraphExecMemcpyNodeSetParams(exec, copied, &copy, context));
    copy.WidthInBytes = 32;
    ASK(cuGraphExecMemcpyNodeSetParams(exec, copied, &copy, context));
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = &copy;
    ASK(cuGraphExecMemcpyNodeSetParams(exec, copied, &copy, context));
    ASK(cuGraphExecMemcpyNodeSetParams(exec, filled, &copy, context));
    ASK(cuGraphExecHostNodeSetParams(exec, called, &call));
    call.fn = nullptr;
    ASK(cuGraphExecHostNodeSetParams(exec, called, &call));
    ASK(cuGraphExecHostNodeSetParams(exec, filled, &call));
    ASK(cuGraphExecHostNodeSetParams(nullptr, called, &call));
    ASK(cuGraphExecKernelNodeSetParams(exec, launched, &launch));
    launch.gridDimX = 0;
    ASK(cuGraphExecKernelNodeSetParams(exec, launched, &launch));
    launch.gridDimX = 2;
    launch.func = cuModuleGetFunction(module, "limited").value;
    ASK(cuGraphExecKernelNodeSetParams(exec, launched, &launch));
    ASK(cuGraphExecEventRecordNodeSetEvent(exec, recorded, event));
    ASK(cuGraphExecEventRecordNodeSetEvent(exec, recorded, nullptr));
    ASK(cuGraphExecEventRecordNodeSetEvent(exec, waited, event));
    ASK(cuGraphExecEventWaitNodeSetEvent(exec, waited, event));
    ASK(cuGraphExecChildGraphNodeSetParams(exec, nested, child));
    ASK(cuGraphExecChildGraphNodeSetParams(exec, nested, graph));
    ASK(cuGraphExecChildGraphNodeSetParams(exec, filled, child));
    for (const CUgraphNode each : {filled, copied, called, launched, recorded, nested, empty}) {
        ASK(cuGraphNodeSetEnabled(exec, each, 0));
        ASK(cuGraphNodeGetEnabled(exec, each));
        ASK(cuGraphNodeSetEnabled(exec, each, 7));
        ASK(cuGraphNodeGetEnabled(exec, each));
    }
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_HOST;
    parameters.host.fn = do_nothing;
    ASK(cuGraphExecNodeSetParams(exec, called, &parameters));
    ASK(cuGraphExecNodeSetParams(exec, filled, &parameters));
    ASK(cuGraphExecNodeSetParams(exec, called, nullptr));
    const CUgraphNode later = cuGraphAddHostNode(graph, nullptr, 0, nullptr).value;
    ASK(cuGraphNodeGetEnabled(exec, later));
}

}  // namespace

void ask_about_graph_updates() {
    const CUcontext context = use_device();
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    ask_about_whole_updates(context, memory);
    ask_about_single_updates(context, memory);
}

}  // namespace answers
