// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "registered_code.hpp"

namespace cubind::testing {
namespace {

/// A graph of nodes that are added by the test, and memory of four floats.
class CudartGraphTest : public ::testing::Test {
protected:
    void SetUp() override {
        const float two = 2;
        ASSERT_EQ(cudaMemcpyToSymbol(code.factor, &two, sizeof two, 0, cudaMemcpyHostToDevice).status, cudaSuccess);
    }
    cudaGraphExec_t run() {
        const auto [status, executable] = cudaGraphInstantiate(graph, 0);
        EXPECT_EQ(status, cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(executable, nullptr).status, cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize().status, cudaSuccess);
        return executable;
    }
    cudaKernelNodeParams kernel() { return {const_cast<void*>(code.scale), {1, 1, 1}, {4, 1, 1}, 0, arguments, nullptr}; }

    RegisteredCode code;
    cudaGraph_t graph = cudaGraphCreate(0).value;
    void* memory = write(std::vector<float>{1, 2, 3, 4});
    unsigned count = 4;
    void* arguments[2] = {&memory, &count};
};

TEST_F(CudartGraphTest, RunsNodesInTheOrderOfTheirEdges) {
    std::vector<float> seen(4);
    const cudaMemsetParams fill = {memory, 0, 0x3f800000, 4, 4, 1};  // 1.0f
    const auto [filled, first] = cudaGraphAddMemsetNode(graph, nullptr, 0, &fill);
    ASSERT_EQ(filled, cudaSuccess);
    const cudaKernelNodeParams launch = kernel();
    const auto [launched, second] = cudaGraphAddKernelNode(graph, &first, 1, &launch);
    ASSERT_EQ(launched, cudaSuccess);
    const auto [copied, third] = cudaGraphAddMemcpyNode1D(graph, &second, 1, seen.data(), memory, 16, cudaMemcpyDeviceToHost);
    ASSERT_EQ(copied, cudaSuccess);
    run();
    EXPECT_EQ(seen, (std::vector<float>{2, 2, 2, 2}));
    EXPECT_EQ(cudaGraphNodeGetType(second).value, cudaGraphNodeTypeKernel);
    const auto [read_status, parameters] = cudaGraphKernelNodeGetParams(second);
    EXPECT_EQ(read_status, cudaSuccess);
    EXPECT_EQ(parameters.func, code.scale);
    EXPECT_EQ(parameters.blockDim.x, 4u);
    const auto [copy_status, copy] = cudaGraphMemcpyNodeGetParams(third);
    EXPECT_EQ(copy_status, cudaSuccess);
    EXPECT_EQ(copy.dstPtr.ptr, seen.data());
    EXPECT_EQ(copy.extent.width, 16u);
    EXPECT_EQ(cudaGraphMemsetNodeGetParams(first).value.value, 0x3f800000u);
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, 0).value, 3u);
    EXPECT_EQ(cudaGraphNodeGetContainingGraph(second).value, graph);
}

TEST_F(CudartGraphTest, ChangesExecutableNodes) {
    const cudaKernelNodeParams launch = kernel();
    const cudaGraphNode_t node = cudaGraphAddKernelNode(graph, nullptr, 0, &launch).value;
    const cudaGraphExec_t executable = run();
    void* const other = write(std::vector<float>{10, 20, 30, 40});
    memory = other;
    const cudaKernelNodeParams changed = kernel();
    EXPECT_EQ(cudaGraphExecKernelNodeSetParams(executable, node, &changed).status, cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr).status, cudaSuccess);
    EXPECT_EQ(read<float>(other, 4), (std::vector<float>{20, 40, 60, 80}));
    EXPECT_EQ(cudaGraphNodeSetEnabled(executable, node, 0).status, cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr).status, cudaSuccess);
    EXPECT_EQ(read<float>(other, 1), std::vector<float>{20});
    EXPECT_EQ(cudaGraphExecUpdate(executable, graph).value.result, cudaGraphExecUpdateSuccess);
}

TEST_F(CudartGraphTest, AddsNodesOfEachTypeByOneFunction) {
    cudaGraphNodeParams fill{};
    fill.type = cudaGraphNodeTypeMemset;
    fill.memset = {memory, 0, 0x40400000, 4, 4, 1, nullptr};  // 3.0f
    const auto [filled, first, ignored] = cudaGraphAddNode(graph, nullptr, nullptr, 0, fill);
    ASSERT_EQ(filled, cudaSuccess);
    cudaGraphNodeParams launch{};
    launch.type = cudaGraphNodeTypeKernel;
    launch.kernel.func = const_cast<void*>(code.scale);
    launch.kernel.gridDim = {1, 1, 1};
    launch.kernel.blockDim = {4, 1, 1};
    launch.kernel.kernelParams = arguments;
    const auto [launched, second, unused] = cudaGraphAddNode(graph, &first, nullptr, 1, launch);
    ASSERT_EQ(launched, cudaSuccess);
    int calls = 0;
    cudaGraphNodeParams host{};
    host.type = cudaGraphNodeTypeHost;
    host.host.fn = [](void* data) { ++*static_cast<int*>(data); };
    host.host.userData = &calls;
    EXPECT_EQ(cudaGraphAddNode(graph, &second, nullptr, 1, host).status, cudaSuccess);
    cudaGraphNodeParams allocation{};
    allocation.type = cudaGraphNodeTypeMemAlloc;
    allocation.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.alloc.bytesize = 64;
    const auto [allocated, third, written] = cudaGraphAddNode(graph, nullptr, nullptr, 0, allocation);
    EXPECT_EQ(allocated, cudaSuccess);
    ASSERT_NE(written.alloc.dptr, nullptr);
    EXPECT_EQ(cudaGraphAddMemFreeNode(graph, &third, 1, written.alloc.dptr).status, cudaSuccess);
    run();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(read<float>(memory, 2), (std::vector<float>{6, 6}));
}

TEST_F(CudartGraphTest, RunsBodiesOfConditionalNodes) {
    const auto [created, handle] = cudaGraphConditionalHandleCreate(graph, 1, cudaGraphCondAssignDefault);
    ASSERT_EQ(created, cudaSuccess);
    cudaGraphNodeParams condition{};
    condition.type = cudaGraphNodeTypeConditional;
    condition.conditional.handle = handle;
    condition.conditional.type = cudaGraphCondTypeIf;
    condition.conditional.size = 1;
    const auto [added, node, written] = cudaGraphAddNode(graph, nullptr, nullptr, 0, condition);
    ASSERT_EQ(added, cudaSuccess);
    ASSERT_NE(written.conditional.phGraph_out, nullptr);
    const cudaKernelNodeParams launch = kernel();
    EXPECT_EQ(cudaGraphAddKernelNode(written.conditional.phGraph_out[0], nullptr, 0, &launch).status, cudaSuccess);
    run();
    EXPECT_EQ(read<float>(memory, 4), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(CudartGraphTest, CapturesStreams) {
    const auto stream = cudaStreamCreate().value;
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal).status, cudaSuccess);
    EXPECT_EQ(cudaStreamIsCapturing(stream).value, cudaStreamCaptureStatusActive);
    EXPECT_EQ(cudaLaunchKernel(code.scale, {1, 1, 1}, {4, 1, 1}, arguments, 0, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(static_cast<float*>(memory) + 3, 0, 4, stream).status, cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream).status, cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal).status, cudaSuccess);
    EXPECT_EQ(cudaLaunchKernel(code.scale, {1, 1, 1}, {4, 1, 1}, arguments, 0, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(static_cast<float*>(memory) + 3, 0, 4, stream).status, cudaSuccess);
    const auto [status, captured] = cudaStreamEndCapture(stream);
    ASSERT_EQ(status, cudaSuccess);
    graph = captured;
    run();
    EXPECT_EQ(read<float>(memory, 4), (std::vector<float>{2, 4, 6, 0}));
}

TEST_F(CudartGraphTest, CopiesVariables) {
    int launches = 0;
    const auto [status, node] =
        cudaGraphAddMemcpyNodeFromSymbol(graph, nullptr, 0, &launches, code.launches, sizeof launches, 0, cudaMemcpyDeviceToHost);
    ASSERT_EQ(status, cudaSuccess);
    run();
    EXPECT_EQ(launches, 3);
}

}  // namespace
}  // namespace cubind::testing
