// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphLaunchTest : public GraphTest {};

TEST_F(SimGraphLaunchTest, RunsNodesAfterTheirDependencies) {
    const CUgraph graph = create_graph();
    const CUgraphNode c = add_host_node(graph, 'c');
    const CUgraphNode b = add_host_node(graph, 'b');
    const CUgraphNode a = add_host_node(graph, 'a');
    ASSERT_EQ(cuGraphAddDependencies(graph, &a, &b, nullptr, 1).status, CUDA_SUCCESS);
    ASSERT_EQ(cuGraphAddDependencies(graph, &b, &c, nullptr, 1).status, CUDA_SUCCESS);
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(call_log.letters(), "") << "no node runs before the launch";
    launch(exec, create_stream());
    launch(exec, create_stream());
    EXPECT_EQ(call_log.letters(), "abcabc");
}

TEST_F(SimGraphLaunchTest, RunsMemsetsAndCopies) {
    const CUdeviceptr first = allocate(64);
    const CUdeviceptr second = allocate(64);
    const CUgraph graph = create_graph();
    const CUgraphNode filled = add_fill(graph, byte_fill(first, 7, 64));
    add_copy(graph, linear_copy(second, first, 32), {filled});
    ASSERT_EQ(cuMemsetD8(second, 1, 64).status, CUDA_SUCCESS);
    launch(instantiate(graph), create_stream());
    std::vector<std::uint8_t> expected(64, 1);
    std::fill_n(expected.begin(), 32, std::uint8_t{7});
    EXPECT_EQ(read(second, 64), expected);
}

TEST_F(SimGraphLaunchTest, RunsAChildGraphInOrder) {
    const CUgraph inner = create_graph();
    add_host_node(inner, 'c', {add_host_node(inner, 'b')});
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_host_node(graph, 'a');
    const CUgraphNode child = cuGraphAddChildGraphNode(graph, &a, 1, inner).value;
    add_host_node(graph, 'd', {child});
    launch(instantiate(graph), create_stream());
    EXPECT_EQ(call_log.letters(), "abcd");
}

TEST_F(SimGraphLaunchTest, RunsInStreamOrder) {
    const CUstream stream = create_stream();
    const CUgraph graph = create_graph();
    add_host_node(graph, 'g');
    const CUgraphExec exec = instantiate(graph);
    {
        Gate gate(stream);
        ASSERT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        ASSERT_EQ(cuLaunchHostFunc(stream, CallLog::record, call_log.entry('h')).status, CUDA_SUCCESS);
        EXPECT_EQ(call_log.letters(), "");
    }
    EXPECT_EQ(call_log.letters(), "gh");
}

TEST_F(SimGraphLaunchTest, RunsLaunchesOfOneExecutableInOrder) {
    const CUstream held = create_stream();
    const CUstream free = create_stream();
    const CUgraph graph = create_graph();
    add_host_node(graph, 'g');
    const CUgraphExec exec = instantiate(graph);
    {
        Gate gate(held);
        ASSERT_EQ(cuGraphLaunch(exec, held).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphLaunch(exec, free).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamQuery(free).status, CUDA_ERROR_NOT_READY) << "it waits for the previous launch";
    }
    EXPECT_EQ(cuStreamSynchronize(free).status, CUDA_SUCCESS);
    EXPECT_EQ(call_log.letters(), "gg");
}

TEST_F(SimGraphLaunchTest, CompletesAfterGraphAndExecutableAreDestroyed) {
    const CUstream stream = create_stream();
    const CUdeviceptr memory = allocate(16);
    const CUgraph graph = create_graph();
    add_host_node(graph, 'b', {add_fill(graph, byte_fill(memory, 3, 16))});
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    {
        Gate gate(stream);
        ASSERT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
        EXPECT_EQ(call_log.letters(), "");
    }
    EXPECT_EQ(call_log.letters(), "b");
    EXPECT_EQ(read(memory, 16), std::vector<std::uint8_t>(16, 3));
}

TEST_F(SimGraphLaunchTest, IgnoresLaterChangesOfTheGraph) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_host_node(graph, 'a');
    const CUgraphExec exec = instantiate(graph);
    add_host_node(graph, 'b', {a});
    const CUDA_HOST_NODE_PARAMS other{CallLog::record, call_log.entry('c')};
    ASSERT_EQ(cuGraphHostNodeSetParams(a, &other).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(call_log.letters(), "a");
}

TEST_F(SimGraphLaunchTest, RecordsAndWaitsForEvents) {
    const CUstream stream = create_stream();
    const CUstream other = create_stream();
    const CUevent before = create_event();
    const CUevent after = create_event();
    const CUgraph graph = create_graph();
    const CUgraphNode wait = cuGraphAddEventWaitNode(graph, nullptr, 0, before).value;
    const CUgraphNode a = add_host_node(graph, 'a', {wait});
    ASSERT_EQ(cuGraphAddEventRecordNode(graph, &a, 1, after).status, CUDA_SUCCESS);
    const CUgraphExec exec = instantiate(graph);
    {
        Gate gate(other);
        ASSERT_EQ(cuLaunchHostFunc(other, CallLog::record, call_log.entry('0')).status, CUDA_SUCCESS);
        ASSERT_EQ(cuEventRecord(before, other).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventQuery(after).status, CUDA_ERROR_NOT_READY);
    }
    EXPECT_EQ(cuEventSynchronize(after).status, CUDA_SUCCESS);
    EXPECT_EQ(call_log.letters(), "0a");
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
}

TEST_F(SimGraphLaunchTest, RejectsACycleWhenItIsInstantiated) {
    const CUgraph graph = create_graph();
    add_empty(graph);
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph, {a});
    ASSERT_EQ(cuGraphAddDependencies(graph, &b, &a, nullptr, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE);
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, {});
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    EXPECT_EQ(info.hErrNode_out, a);
}

TEST_F(SimGraphLaunchTest, RejectsInvalidInstantiations) {
    const CUgraph graph = create_graph();
    EXPECT_EQ(cuGraphInstantiateWithFlags(nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 1 << 20).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode host = add_host_node(graph, 'a');
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    parameters.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, parameters);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
    EXPECT_EQ(info.hErrNode_out, host);
    ASSERT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimGraphLaunchTest, ReportsItsFlagsAndIsUploaded) {
    const CUgraph graph = create_graph();
    add_host_node(graph, 'a');
    CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
    parameters.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY |
                       CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    parameters.hUploadStream = create_stream();
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, parameters);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    EXPECT_EQ(cuGraphExecGetFlags(exec).value, cuuint64_t{CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH});
    EXPECT_EQ(cuGraphUpload(exec, parameters.hUploadStream).status, CUDA_SUCCESS);
    EXPECT_EQ(call_log.letters(), "");
    EXPECT_EQ(cuGraphUpload(nullptr, parameters.hUploadStream).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLaunchTest, RejectsFreedMemory) {
    const CUgraph graph = create_graph();
    const CUdeviceptr memory = allocate(64);
    add_fill(graph, byte_fill(memory, 1, 64));
    const CUgraphExec exec = instantiate(graph);
    ASSERT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLaunchTest, SkipsDisabledNodes) {
    const CUdeviceptr memory = allocate(4);
    const CUgraph graph = create_graph();
    const CUgraphNode first = add_fill(graph, byte_fill(memory, 1, 4));
    const CUgraphNode second = add_fill(graph, byte_fill(memory, 2, 2), {first});
    const CUgraphNode host = add_host_node(graph, 'h', {second});
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, second).value, 1u);
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, second, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, second).value, 0u);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), (std::vector<std::uint8_t>{1, 1, 1, 1}));
    EXPECT_EQ(call_log.letters(), "h");
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, second, 5).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 4), (std::vector<std::uint8_t>{2, 2, 1, 1}));
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, host, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, host).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
