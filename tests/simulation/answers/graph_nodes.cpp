// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_host_and_event_nodes(CUgraph graph) {
    CUDA_HOST_NODE_PARAMS call{do_nothing, nullptr};
    const CUgraphNode host = ASK(cuGraphAddHostNode(graph, nullptr, 0, &call)).value;
    ASK(cuGraphAddHostNode(graph, nullptr, 0, nullptr));
    ASK(cuGraphHostNodeGetParams(host));
    ASK(cuGraphHostNodeSetParams(host, &call));
    ASK(cuGraphHostNodeSetParams(host, nullptr));
    call.fn = nullptr;
    ASK(cuGraphAddHostNode(graph, nullptr, 0, &call));
    ASK(cuGraphHostNodeSetParams(host, &call));
    ASK(cuGraphHostNodeGetParams(nullptr));
    const CUevent event = cuEventCreate(0).value;
    const CUgraphNode record = ASK(cuGraphAddEventRecordNode(graph, nullptr, 0, event)).value;
    const CUgraphNode wait = ASK(cuGraphAddEventWaitNode(graph, nullptr, 0, event)).value;
    ASK(cuGraphAddEventRecordNode(graph, nullptr, 0, nullptr));
    ASK(cuGraphAddEventWaitNode(graph, nullptr, 0, nullptr));
    REPORT(cuGraphEventRecordNodeGetEvent(record).value == event);
    ASK(cuGraphEventRecordNodeGetEvent(wait));
    ASK(cuGraphEventWaitNodeGetEvent(record));
    ASK(cuGraphEventRecordNodeSetEvent(record, event));
    ASK(cuGraphEventRecordNodeSetEvent(record, nullptr));
    ASK(cuGraphEventWaitNodeSetEvent(wait, event));
    ASK(cuGraphEventWaitNodeSetEvent(host, event));
    ASK(cuGraphHostNodeGetParams(record));
    ASK(cuGraphKernelNodeGetParams(host));
    ASK(cuGraphMemcpyNodeGetParams(host));
    ASK(cuGraphMemsetNodeGetParams(host));
    ASK(cuGraphMemAllocNodeGetParams(host));
    ASK(cuGraphMemFreeNodeGetParams(host));
}

void ask_about_fill_and_copy_nodes(CUgraph graph, CUcontext context) {
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = memory;
    fill.elementSize = 1;
    fill.width = 64;
    fill.height = 1;
    const CUgraphNode filled = ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context)).value;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, nullptr));
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, nullptr, context));
    ASK(cuGraphMemsetNodeGetParams(filled));
    fill.elementSize = 3;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    ASK(cuGraphMemsetNodeSetParams(filled, &fill));
    fill.elementSize = 4;
    ASK(cuGraphMemsetNodeSetParams(filled, &fill));
    fill.width = 0;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.width = 4;
    fill.height = 4;
    fill.pitch = 8;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.pitch = 64;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.height = 0;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.height = 1;
    fill.dst = memory + 1;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.dst = bad_address;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    fill.dst = 0;
    ASK(cuGraphAddMemsetNode(graph, nullptr, 0, &fill, context));
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstDevice = memory + 2048;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    const CUgraphNode copied = ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context)).value;
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, nullptr));
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, nullptr, context));
    ASK(cuGraphMemcpyNodeGetParams(copied));
    ASK(cuGraphMemcpyNodeSetParams(copied, &copy));
    copy.Depth = 0;
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context));
    copy.Depth = 1;
    copy.srcDevice = bad_address;
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context));
    copy.srcMemoryType = static_cast<CUmemorytype>(9);
    ASK(cuGraphAddMemcpyNode(graph, nullptr, 0, &copy, context));
}

void ask_about_kernel_nodes(CUgraph graph) {
    const CUmodule module = cuModuleLoadData(ptx).value;
    CUdeviceptr pointer = 0;
    unsigned count = 0;
    void* arguments[] = {&pointer, &count};
    CUDA_KERNEL_NODE_PARAMS launch{};
    launch.func = cuModuleGetFunction(module, "two").value;
    launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
    launch.kernelParams = arguments;
    const CUgraphNode node = ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch)).value;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, nullptr));
    ASK(cuGraphKernelNodeGetParams(node));
    ASK(cuGraphKernelNodeSetParams(node, &launch));
    launch.gridDimX = 0;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    launch.gridDimX = 1;
    launch.blockDimX = 2048;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    ASK(cuGraphKernelNodeSetParams(node, &launch));
    launch.blockDimX = 1;
    launch.sharedMemBytes = 1 << 20;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    launch.sharedMemBytes = 0;
    launch.kernelParams = nullptr;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    launch.kernelParams = arguments;
    launch.func = nullptr;
    ASK(cuGraphAddKernelNode(graph, nullptr, 0, &launch));
    CUkernelNodeAttrValue value{};
    value.priority = -1;
    ASK(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    REPORT(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY).value.priority);
    value.cooperative = 1;
    ASK(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    REPORT(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE).value.cooperative);
    for (int i = 0; i <= 16; ++i) {
        const auto attribute = static_cast<CUkernelNodeAttrID>(i);
        ask(("cuGraphKernelNodeGetAttribute " + std::to_string(i)).c_str(),
            [&] { return cuGraphKernelNodeGetAttribute(node, attribute); });
    }
    ASK(cuGraphKernelNodeSetAttribute(node, static_cast<CUkernelNodeAttrID>(99), &value));
    ASK(cuGraphKernelNodeCopyAttributes(node, node));
}

void ask_about_generic_nodes(CUgraph graph) {
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
    ASK(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters));
    parameters.type = static_cast<CUgraphNodeType>(99);
    ASK(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters));
    parameters.type = CU_GRAPH_NODE_TYPE_HOST;
    parameters.host.fn = do_nothing;
    const CUgraphNode host = ASK(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters)).value1;
    ASK(cuGraphNodeSetParams(host, &parameters));
    ASK(cuGraphNodeSetParams(host, nullptr));
    parameters.reserved0[0] = 1;
    ASK(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters));
    parameters.reserved0[0] = 0;
    parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
    ASK(cuGraphNodeSetParams(host, &parameters));
    ASK(cuGraphAddNode(nullptr, nullptr, nullptr, 0, parameters));
}

CUDA_MEM_ALLOC_NODE_PARAMS allocation(CUmemAllocationType type, CUmemLocationType location, int id, std::size_t size = 1000) {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.poolProps.allocType = type;
    parameters.poolProps.location.type = location;
    parameters.poolProps.location.id = id;
    parameters.bytesize = size;
    return parameters;
}

}  // namespace

void ask_about_graph_nodes() {
    const CUcontext context = use_device();
    const CUgraph graph = cuGraphCreate(0).value;
    ask_about_host_and_event_nodes(graph);
    ask_about_fill_and_copy_nodes(graph, context);
    ask_about_kernel_nodes(graph);
    ask_about_generic_nodes(graph);
}

void ask_about_graph_memory() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    for (const auto type : {CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_INVALID}) {
        for (int location = 0; location <= 4; ++location) {
            const auto parameters = allocation(type, static_cast<CUmemLocationType>(location), 0);
            const CUgraph graph = cuGraphCreate(0).value;
            const auto kind = " type " + std::to_string(type) + " location type " + std::to_string(location);
            const auto node = ask(("cuGraphAddMemAllocNode" + kind).c_str(),
                                  [&] { return cuGraphAddMemAllocNode(graph, nullptr, 0, parameters); });
            if (!node.ok()) continue;
            const auto exec = ask(("cuGraphInstantiate" + kind).c_str(), [&] { return cuGraphInstantiate(graph, 0); });
            if (exec.ok()) ask(("cuGraphLaunch" + kind).c_str(), [&] { return cuGraphLaunch(exec.value, stream); });
            ask(("cuStreamSynchronize" + kind).c_str(), [&] { return cuStreamSynchronize(stream); });
        }
    }
    const CUgraph graph = cuGraphCreate(0).value;
    auto parameters = allocation(CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE, 0);
    const auto added = ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    const CUgraphNode node = added.value1;
    const CUdeviceptr memory = added.value2.dptr;
    REPORT(memory);
    parameters.bytesize = 0;
    ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    parameters.bytesize = std::size_t{1} << 50;
    ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    parameters.bytesize = 1000;
    parameters.poolProps.location.id = 99;
    ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    parameters.poolProps.location.id = 0;
    parameters.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    parameters.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_NONE;
    parameters.poolProps.maxSize = 1 << 20;
    ASK(cuGraphAddMemAllocNode(graph, nullptr, 0, parameters));
    ASK(cuGraphMemAllocNodeGetParams(node));
    ASK(cuMemsetD8(memory, 0, 1));
    ASK(cuGraphAddMemFreeNode(graph, nullptr, 0, memory));
    ASK(cuGraphAddMemFreeNode(graph, nullptr, 0, bad_address));
    ASK(cuGraphAddMemFreeNode(graph, nullptr, 0, 0));
    ASK(cuGraphClone(graph));
    ASK(cuGraphDestroyNode(node));
    ASK(cuGraphAddDependencies(graph, &node, &node, nullptr, 1));
    const CUgraphExec exec = ASK(cuGraphInstantiate(graph, 0)).value;
    ASK(cuGraphInstantiate(graph, 0));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuMemsetD8(memory, 0, 1000));
    ASK(cuMemFreeAsync(memory, stream));
    ASK(cuMemFreeAsync(memory, stream));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuMemFree(memory));
    ASK(cuMemFree(memory));
    const CUgraph both = cuGraphCreate(0).value;
    const auto begin =
        cuGraphAddMemAllocNode(both, nullptr, 0, allocation(CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE, 0));
    const CUgraphNode end = ASK(cuGraphAddMemFreeNode(both, &begin.value1, 1, begin.value2.dptr)).value;
    ASK(cuGraphAddMemFreeNode(both, &begin.value1, 1, begin.value2.dptr));
    ASK(cuGraphMemFreeNodeGetParams(end));
    const CUgraphExec repeated = ASK(cuGraphInstantiate(both, 0)).value;
    ASK(cuGraphLaunch(repeated, stream));
    ASK(cuGraphLaunch(repeated, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuDeviceGraphMemTrim(0));
}

}  // namespace answers
