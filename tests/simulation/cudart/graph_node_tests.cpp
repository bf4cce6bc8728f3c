// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <unistd.h>

#include "registered_code.hpp"

namespace cubind::testing {
namespace {

/// Graphs whose nodes are read and changed, and memory of four integers.
class CudartGraphNodeTest : public ::testing::Test {
protected:
    static cudaMemsetParams fill(void* to, unsigned int value) { return {to, 0, value, 4, 4, 1}; }
    static cudaHostNodeParams adding(int& sum) {
        return {[](void* data) { ++*static_cast<int*>(data); }, &sum};
    }
    cudaGraphNode_t empty(const cudaGraphNode_t* after = nullptr) {
        return cudaGraphAddEmptyNode(graph, after, after != nullptr ? 1 : 0).value;
    }
    cudaGraphExec_t instantiate() {
        const auto [status, executable] = cudaGraphInstantiateWithFlags(graph, 0);
        EXPECT_EQ(status, cudaSuccess);
        return executable;
    }
    void run(cudaGraphExec_t executable) {
        EXPECT_EQ(cudaGraphUpload(executable, nullptr).status, cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(executable, nullptr).status, cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
    }
    std::vector<int> values() { return read<int>(memory, 4); }

    cudaGraph_t graph = cudaGraphCreate(0).value;
    void* memory = write(std::vector<int>{1, 2, 3, 4});
};

TEST_F(CudartGraphNodeTest, ReadsAndChangesEdges) {
    const cudaGraphNode_t first = empty();
    const cudaGraphNode_t second = empty(&first);
    const cudaGraphNode_t third = empty();
    EXPECT_EQ(cudaGraphAddDependencies(graph, &second, &third, nullptr, 1).status, cudaSuccess);
    cudaGraphNode_t from[2] = {}, to[2] = {};
    EXPECT_EQ(cudaGraphGetEdges(graph, from, to, nullptr, 2).value, 2u);
    EXPECT_TRUE(from[0] == first || from[1] == first);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphGetRootNodes(graph, &node, 1).value, 1u);
    EXPECT_EQ(node, first);
    EXPECT_EQ(cudaGraphNodeGetDependencies(third, &node, nullptr, 1).value, 1u);
    EXPECT_EQ(node, second);
    EXPECT_EQ(cudaGraphNodeGetDependentNodes(first, &node, nullptr, 1).value, 1u);
    EXPECT_EQ(node, second);
    EXPECT_EQ(cudaGraphRemoveDependencies(graph, &second, &third, nullptr, 1).status, cudaSuccess);
    EXPECT_EQ(cudaGraphDestroyNode(second).status, cudaSuccess);
    EXPECT_EQ(cudaGraphGetRootNodes(graph, nullptr, 0).value, 2u);
    EXPECT_EQ(cudaGraphDestroy(graph).status, cudaSuccess);
}

TEST_F(CudartGraphNodeTest, FindsNodesInAClone) {
    const cudaGraphNode_t node = empty();
    const auto [status, clone] = cudaGraphClone(graph);
    ASSERT_EQ(status, cudaSuccess);
    const cudaGraphNode_t copied = cudaGraphNodeFindInClone(node, clone).value;
    EXPECT_NE(copied, node);
    EXPECT_EQ(cudaGraphNodeGetContainingGraph(copied).value, clone);
    EXPECT_NE(cudaGraphGetId(clone).value, cudaGraphGetId(graph).value);
    EXPECT_EQ(cudaGraphNodeGetLocalId(copied).status, cudaSuccess);
    EXPECT_NE(cudaGraphNodeGetToolsId(copied).value, cudaGraphNodeGetToolsId(node).value);
    EXPECT_NE(cudaGraphExecGetId(instantiate()).value, cudaGraphGetId(graph).value);
}

TEST_F(CudartGraphNodeTest, ChangesChildGraphsAndHostFunctions) {
    int first = 0, second = 0, of_child = 0;
    const cudaHostNodeParams function = adding(first), other = adding(second), inner = adding(of_child);
    const cudaGraphNode_t node = cudaGraphAddHostNode(graph, nullptr, 0, &function).value;
    EXPECT_EQ(cudaGraphHostNodeGetParams(node).value.userData, &first);
    const cudaGraph_t child = cudaGraphCreate(0).value;
    const cudaGraphNode_t call = cudaGraphAddHostNode(child, nullptr, 0, &inner).value;
    const cudaGraphNode_t nested = cudaGraphAddChildGraphNode(graph, &node, 1, child).value;
    EXPECT_EQ(cudaGraphGetNodes(cudaGraphChildGraphNodeGetGraph(nested).value, nullptr, 0).value, 1u);
    const cudaGraphExec_t executable = instantiate();
    EXPECT_EQ(cudaGraphExecGetFlags(executable).value, 0u);
    run(executable);
    EXPECT_EQ(cudaGraphExecHostNodeSetParams(executable, node, &other).status, cudaSuccess);
    EXPECT_EQ(cudaGraphHostNodeSetParams(call, &other).status, cudaSuccess);
    EXPECT_EQ(cudaGraphExecChildGraphNodeSetParams(executable, nested, child).status, cudaSuccess);
    run(executable);
    EXPECT_EQ(cudaGraphNodeSetEnabled(executable, node, 1).status, cudaErrorInvalidValue) << "only kernels, copies and fills";
    EXPECT_EQ(cudaGraphExecDestroy(executable).status, cudaSuccess);
    EXPECT_EQ(std::vector<int>({first, of_child, second}), std::vector<int>({1, 1, 2}));
}

TEST_F(CudartGraphNodeTest, ChangesEvents) {
    const cudaEvent_t event = cudaEventCreate().value, other = cudaEventCreate().value;
    const cudaGraphNode_t record = cudaGraphAddEventRecordNode(graph, nullptr, 0, event).value;
    const cudaGraphNode_t wait = cudaGraphAddEventWaitNode(graph, &record, 1, event).value;
    const cudaGraphExec_t executable = instantiate();
    EXPECT_EQ(cudaGraphEventRecordNodeSetEvent(record, other).status, cudaSuccess);
    EXPECT_EQ(cudaGraphEventWaitNodeSetEvent(wait, other).status, cudaSuccess);
    EXPECT_EQ(cudaGraphEventRecordNodeGetEvent(record).value, other);
    EXPECT_EQ(cudaGraphEventWaitNodeGetEvent(wait).value, other);
    EXPECT_EQ(cudaGraphExecEventRecordNodeSetEvent(executable, record, other).status, cudaSuccess);
    EXPECT_EQ(cudaGraphExecEventWaitNodeSetEvent(executable, wait, other).status, cudaSuccess);
    run(executable);
    EXPECT_EQ(cudaEventQuery(other).status, cudaSuccess);
}

TEST_F(CudartGraphNodeTest, ChangesFills) {
    const cudaMemsetParams five = fill(memory, 5), six = fill(memory, 6), seven = fill(memory, 7);
    const cudaGraphNode_t node = cudaGraphAddMemsetNode(graph, nullptr, 0, &five).value;
    EXPECT_EQ(cudaGraphMemsetNodeSetParams(node, &six).status, cudaSuccess);
    const cudaGraphExec_t executable = instantiate();
    run(executable);
    EXPECT_EQ(values(), std::vector<int>(4, 6));
    EXPECT_EQ(cudaGraphExecMemsetNodeSetParams(executable, node, &seven).status, cudaSuccess);
    EXPECT_EQ(cudaGraphNodeGetEnabled(executable, node).value, 1u);
    run(executable);
    EXPECT_EQ(values(), std::vector<int>(4, 7));
    cudaGraphNodeParams any = cudaGraphNodeGetParams(node).value;
    EXPECT_EQ(any.memset.value, 6u);
    any.memset.value = 8;
    EXPECT_EQ(cudaGraphNodeSetParams(node, &any).status, cudaSuccess);
    EXPECT_EQ(cudaGraphMemsetNodeGetParams(node).value.value, 8u);
    any.memset.value = 9;
    EXPECT_EQ(cudaGraphExecNodeSetParams(executable, node, &any).status, cudaSuccess);
    run(executable);
    EXPECT_EQ(values(), std::vector<int>(4, 9));
}

TEST_F(CudartGraphNodeTest, ChangesCopies) {
    const int numbers[4] = {5, 6, 7, 8}, others[4] = {9, 10, 11, 12};
    cudaMemcpy3DParms box{};
    box.srcPtr = {const_cast<int*>(numbers), 16, 16, 1};
    box.dstPtr = {memory, 16, 16, 1};
    box.extent = {8, 1, 1};
    box.kind = cudaMemcpyHostToDevice;
    const cudaGraphNode_t node = cudaGraphAddMemcpyNode(graph, nullptr, 0, &box).value;
    const cudaGraphExec_t executable = instantiate();
    run(executable);
    EXPECT_EQ(values(), (std::vector<int>{5, 6, 3, 4}));
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams1D(executable, node, memory, others, 4, cudaMemcpyHostToDevice).status,
              cudaSuccess);
    run(executable);
    EXPECT_EQ(values(), (std::vector<int>{9, 6, 3, 4}));
    box.extent.width = 12;
    EXPECT_EQ(cudaGraphMemcpyNodeSetParams(node, &box).status, cudaSuccess);
    EXPECT_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &box).status, cudaSuccess);
    run(executable);
    EXPECT_EQ(values(), (std::vector<int>{5, 6, 7, 4}));
    EXPECT_EQ(cudaGraphMemcpyNodeSetParams1D(node, memory, others, 16, cudaMemcpyHostToDevice).status, cudaSuccess);
    EXPECT_EQ(cudaGraphMemcpyNodeGetParams(node).value.extent.width, 16u);
    EXPECT_EQ(cudaGraphMemcpyNodeSetParams(node, nullptr).status, cudaErrorInvalidValue);
}

TEST_F(CudartGraphNodeTest, ChangesCopiesOfVariables) {
    const RegisteredCode code;
    const int written = 5, changed = 6;
    int seen = 0;
    const auto [status, to] =
        cudaGraphAddMemcpyNodeToSymbol(graph, nullptr, 0, code.launches, &written, sizeof written, 0, cudaMemcpyHostToDevice);
    ASSERT_EQ(status, cudaSuccess);
    const cudaGraphNode_t from =
        cudaGraphAddMemcpyNodeFromSymbol(graph, &to, 1, &seen, code.launches, sizeof seen, 0, cudaMemcpyDeviceToHost).value;
    const cudaGraphExec_t executable = instantiate();
    run(executable);
    EXPECT_EQ(seen, 5);
    int other = 0;
    EXPECT_EQ(
        cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, to, code.launches, &changed, 4, 0, cudaMemcpyHostToDevice).status,
        cudaSuccess);
    EXPECT_EQ(
        cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, from, &other, code.launches, 4, 0, cudaMemcpyDeviceToHost).status,
        cudaSuccess);
    run(executable);
    EXPECT_EQ(other, 6);
    EXPECT_EQ(cudaGraphMemcpyNodeSetParamsToSymbol(to, code.launches, &changed, 4, 0, cudaMemcpyHostToDevice).status,
              cudaSuccess);
    EXPECT_EQ(cudaGraphMemcpyNodeSetParamsFromSymbol(from, &other, code.launches, 4, 0, cudaMemcpyDeviceToHost).status,
              cudaSuccess);
    EXPECT_EQ(cudaGraphMemcpyNodeGetParams(from).value.dstPtr.ptr, &other);
    EXPECT_EQ(cudaGraphMemcpyNodeSetParamsToSymbol(to, &other, &changed, 4, 0, cudaMemcpyHostToDevice).status,
              cudaErrorInvalidSymbol);
}

TEST_F(CudartGraphNodeTest, AllocatesMemory) {
    cudaMemAllocNodeParams allocation{};
    allocation.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.bytesize = 64;
    const auto [status, node, written] = cudaGraphAddMemAllocNode(graph, nullptr, 0, allocation);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaGraphMemAllocNodeGetParams(node).value.dptr, written.dptr);
    const cudaGraphNode_t freeing = cudaGraphAddMemFreeNode(graph, &node, 1, written.dptr).value;
    void* freed = nullptr;
    EXPECT_EQ(cudaGraphMemFreeNodeGetParams(freeing, &freed).status, cudaSuccess);
    EXPECT_EQ(freed, written.dptr);
    run(instantiate());
    std::uint64_t reserved = 0;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved).status, cudaSuccess);
    EXPECT_GE(reserved, 64u);
    std::uint64_t zero = 0;
    EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero).status, cudaSuccess);
    EXPECT_EQ(cudaDeviceGraphMemTrim(0).status, cudaSuccess);
}

TEST_F(CudartGraphNodeTest, AddsAndReadsNodesOfOtherTypes) {
    const auto add = [&](const cudaGraphNodeParams& parameters) {
        const auto [status, node, written] = cudaGraphAddNode(graph, nullptr, nullptr, 0, parameters);
        EXPECT_EQ(status, cudaSuccess) << parameters.type;
        return node;
    };
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeEmpty;
    EXPECT_EQ(cudaGraphNodeGetType(add(parameters)).value, cudaGraphNodeTypeEmpty);
    parameters = {};
    parameters.type = cudaGraphNodeTypeGraph;
    parameters.graph.graph = cudaGraphCreate(0).value;
    EXPECT_NE(cudaGraphChildGraphNodeGetGraph(add(parameters)).value, nullptr);
    const cudaEvent_t event = cudaEventCreate().value;
    parameters = {};
    parameters.type = cudaGraphNodeTypeEventRecord;
    parameters.eventRecord.event = event;
    EXPECT_EQ(cudaGraphNodeGetParams(add(parameters)).value.eventRecord.event, event);
    parameters = {};
    parameters.type = cudaGraphNodeTypeWaitEvent;
    parameters.eventWait.event = event;
    EXPECT_EQ(cudaGraphNodeGetParams(add(parameters)).value.eventWait.event, event);
    int number = 7;
    parameters = {};
    parameters.type = cudaGraphNodeTypeMemcpy;
    parameters.memcpy.copyParams.srcPtr = {&number, 4, 4, 1};
    parameters.memcpy.copyParams.dstPtr = {memory, 4, 4, 1};
    parameters.memcpy.copyParams.extent = {4, 1, 1};
    parameters.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaGraphNodeGetParams(add(parameters)).value.memcpy.copyParams.extent.width, 4u);
    parameters = {};
    parameters.type = cudaGraphNodeTypeExtSemaphoreSignal;
    EXPECT_EQ(cudaGraphAddNode(graph, nullptr, nullptr, 0, parameters).status, cudaErrorNotSupported);
    run(instantiate());
    EXPECT_EQ(values(), (std::vector<int>{7, 2, 3, 4}));
}

TEST_F(CudartGraphNodeTest, ChangesAttributesOfKernels) {
    const RegisteredCode code;
    unsigned count = 4;
    void* arguments[] = {&memory, &count};
    const cudaKernelNodeParams kernel{const_cast<void*>(code.scale), {1, 1, 1}, {4, 1, 1}, 0, arguments, nullptr};
    const cudaGraphNode_t node = cudaGraphAddKernelNode(graph, nullptr, 0, &kernel).value;
    const cudaGraphNode_t other = cudaGraphAddKernelNode(graph, nullptr, 0, &kernel).value;
    cudaLaunchAttributeValue value{};
    value.priority = -1;
    EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value).status, cudaSuccess);
    EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(other, node).status, cudaSuccess);
    EXPECT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority).value.priority, -1);
    EXPECT_EQ(cudaGraphNodeGetParams(other).value.kernel.blockDim.x, 4u);
}

TEST_F(CudartGraphNodeTest, RetainsUserObjects) {
    std::atomic<int> destroyed = 0;
    const auto destroy = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
    const auto [status, object] = cudaUserObjectCreate(&destroyed, destroy, 1, cudaUserObjectNoDestructorSync);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaUserObjectRetain(object, 2).status, cudaSuccess);
    EXPECT_EQ(cudaGraphRetainUserObject(graph, object, 2, cudaGraphUserObjectMove).status, cudaSuccess);
    EXPECT_EQ(cudaGraphReleaseUserObject(graph, object, 2).status, cudaSuccess);
    EXPECT_EQ(destroyed, 0);
    EXPECT_EQ(cudaUserObjectRelease(object, 1).status, cudaSuccess);
    while (destroyed == 0) std::this_thread::yield();  // another thread calls the function
    EXPECT_EQ(destroyed, 1);
}

TEST_F(CudartGraphNodeTest, PrintsTheGraph) {
    (void)empty();
    const auto file = std::filesystem::temp_directory_path() / ("cudart_graph_" + std::to_string(::getpid()) + ".dot");
    EXPECT_EQ(cudaGraphDebugDotPrint(graph, file.c_str(), 0).status, cudaSuccess);
    EXPECT_GT(std::filesystem::file_size(file), 0u);
    std::filesystem::remove(file);
}

TEST_F(CudartGraphNodeTest, InstantiatesWithParameters) {
    (void)empty();
    cudaGraphInstantiateParams parameters{};
    parameters.flags = cudaGraphInstantiateFlagAutoFreeOnLaunch;
    const auto [status, executable, written] = cudaGraphInstantiateWithParams(graph, parameters);
    EXPECT_EQ(status, cudaSuccess);
    EXPECT_EQ(written.result_out, cudaGraphInstantiateSuccess);
    EXPECT_EQ(cudaGraphExecGetFlags(executable).value, static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch));
}

}  // namespace
}  // namespace cubind::testing
