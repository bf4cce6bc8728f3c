// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphLaunch : public GraphTest {};

TEST_F(SimGraphLaunch, NodesWaitForWhatTheyDependOn) {
    const CUgraph graph = new_graph();
    const CUgraphNode c = note(graph, 'c');
    const CUgraphNode b = note(graph, 'b');
    const CUgraphNode a = note(graph, 'a');
    ASSERT_EQ(cuGraphAddDependencies(graph, &a, &b, nullptr, 1).status, CUDA_SUCCESS);
    ASSERT_EQ(cuGraphAddDependencies(graph, &b, &c, nullptr, 1).status, CUDA_SUCCESS);
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(diary.text(), "") << "nothing happens before the launch";
    launch(exec, stream());
    launch(exec, stream());
    EXPECT_EQ(diary.text(), "abcabc");
}

TEST_F(SimGraphLaunch, FillsAndCopies) {
    const CUdeviceptr first = allocate(64);
    const CUdeviceptr second = allocate(64);
    const CUgraph graph = new_graph();
    const CUgraphNode filled = fill(graph, bytes(first, 7, 64));
    copy(graph, line(second, first, 32), {filled});
    ASSERT_EQ(cuMemsetD8(second, 1, 64).status, CUDA_SUCCESS);
    launch(executable(graph), stream());
    std::vector<std::uint8_t> expected(64, 1);
    std::fill_n(expected.begin(), 32, std::uint8_t{7});
    EXPECT_EQ(read(second, 64), expected);
}

TEST_F(SimGraphLaunch, AChildIsDoneInItsTurn) {
    const CUgraph inner = new_graph();
    note(inner, 'c', {note(inner, 'b')});
    const CUgraph graph = new_graph();
    const CUgraphNode a = note(graph, 'a');
    const CUgraphNode child = cuGraphAddChildGraphNode(graph, &a, 1, inner).value;
    note(graph, 'd', {child});
    launch(executable(graph), stream());
    EXPECT_EQ(diary.text(), "abcd");
}

TEST_F(SimGraphLaunch, IsInTheOrderOfItsStream) {
    const CUstream in = stream();
    const CUgraph graph = new_graph();
    note(graph, 'g');
    const CUgraphExec exec = executable(graph);
    {
        Gate gate(in);
        ASSERT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
        ASSERT_EQ(cuLaunchHostFunc(in, Diary::write, diary.entry('h')).status, CUDA_SUCCESS);
        EXPECT_EQ(diary.text(), "");
    }
    EXPECT_EQ(diary.text(), "gh");
}

TEST_F(SimGraphLaunch, LaunchesOfOneExecutableAreInOrder) {
    const CUstream held = stream();
    const CUstream free = stream();
    const CUgraph graph = new_graph();
    note(graph, 'g');
    const CUgraphExec exec = executable(graph);
    {
        Gate gate(held);
        ASSERT_EQ(cuGraphLaunch(exec, held).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphLaunch(exec, free).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamQuery(free).status, CUDA_ERROR_NOT_READY) << "it waits for the launch before it";
    }
    EXPECT_EQ(cuStreamSynchronize(free).status, CUDA_SUCCESS);
    EXPECT_EQ(diary.text(), "gg");
}

TEST_F(SimGraphLaunch, GoesOnWhenEverythingIsDestroyed) {
    const CUstream in = stream();
    const CUdeviceptr memory = allocate(16);
    const CUgraph graph = new_graph();
    note(graph, 'b', {fill(graph, bytes(memory, 3, 16))});
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    {
        Gate gate(in);
        ASSERT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
        EXPECT_EQ(diary.text(), "");
    }
    EXPECT_EQ(diary.text(), "b");
    EXPECT_EQ(read(memory, 16), std::vector<std::uint8_t>(16, 3));
}

TEST_F(SimGraphLaunch, LaterChangesOfTheGraphDoNotMatter) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = note(graph, 'a');
    const CUgraphExec exec = executable(graph);
    note(graph, 'b', {a});
    const CUDA_HOST_NODE_PARAMS other{Diary::write, diary.entry('c')};
    ASSERT_EQ(cuGraphHostNodeSetParams(a, &other).status, CUDA_SUCCESS);
    launch(exec, stream());
    EXPECT_EQ(diary.text(), "a");
}

TEST_F(SimGraphLaunch, RecordsAndAwaitsEvents) {
    const CUstream in = stream();
    const CUstream other = stream();
    const CUevent before = event();
    const CUevent after = event();
    const CUgraph graph = new_graph();
    const CUgraphNode wait = cuGraphAddEventWaitNode(graph, nullptr, 0, before).value;
    const CUgraphNode a = note(graph, 'a', {wait});
    ASSERT_EQ(cuGraphAddEventRecordNode(graph, &a, 1, after).status, CUDA_SUCCESS);
    const CUgraphExec exec = executable(graph);
    {
        Gate gate(other);
        ASSERT_EQ(cuLaunchHostFunc(other, Diary::write, diary.entry('0')).status, CUDA_SUCCESS);
        ASSERT_EQ(cuEventRecord(before, other).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventQuery(after).status, CUDA_ERROR_NOT_READY);
    }
    EXPECT_EQ(cuEventSynchronize(after).status, CUDA_SUCCESS);
    EXPECT_EQ(diary.text(), "0a");
    EXPECT_EQ(cuStreamSynchronize(in).status, CUDA_SUCCESS);
}

TEST_F(SimGraphLaunch, ACircleIsFoundWhenItBecomesExecutable) {
    const CUgraph graph = new_graph();
    empty(graph);
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph, {a});
    ASSERT_EQ(cuGraphAddDependencies(graph, &b, &a, nullptr, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE);
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, {});
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    EXPECT_EQ(info.hErrNode_out, a);
}

TEST_F(SimGraphLaunch, WrongWaysToMakeItExecutable) {
    const CUgraph graph = new_graph();
    EXPECT_EQ(cuGraphInstantiateWithFlags(nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 1 << 20).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode host = note(graph, 'a');
    CUDA_GRAPH_INSTANTIATE_PARAMS wanted{};
    wanted.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, wanted);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
    EXPECT_EQ(info.hErrNode_out, host);
    ASSERT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimGraphLaunch, KeepsItsFlagsAndIsUploaded) {
    const CUgraph graph = new_graph();
    note(graph, 'a');
    CUDA_GRAPH_INSTANTIATE_PARAMS wanted{};
    wanted.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    wanted.hUploadStream = stream();
    const auto [status, exec, info] = cuGraphInstantiateWithParams(graph, wanted);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(info.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    EXPECT_EQ(cuGraphExecGetFlags(exec).value, wanted.flags);
    EXPECT_EQ(cuGraphUpload(exec, wanted.hUploadStream).status, CUDA_SUCCESS);
    EXPECT_EQ(diary.text(), "");
    EXPECT_EQ(cuGraphUpload(nullptr, wanted.hUploadStream).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLaunch, MemoryThatWasFreedIsFound) {
    const CUgraph graph = new_graph();
    const CUdeviceptr memory = allocate(64);
    fill(graph, bytes(memory, 1, 64));
    const CUgraphExec exec = executable(graph);
    ASSERT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphInstantiateWithFlags(graph, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLaunch, NodesCanBeLeftOut) {
    const CUdeviceptr memory = allocate(4);
    const CUgraph graph = new_graph();
    const CUgraphNode first = fill(graph, bytes(memory, 1, 4));
    const CUgraphNode second = fill(graph, bytes(memory, 2, 2), {first});
    const CUgraphNode host = note(graph, 'h', {second});
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, second).value, 1u);
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, second, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, second).value, 0u);
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), (std::vector<std::uint8_t>{1, 1, 1, 1}));
    EXPECT_EQ(diary.text(), "h");
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, second, 5).status, CUDA_SUCCESS);
    launch(exec, stream());
    EXPECT_EQ(read(memory, 4), (std::vector<std::uint8_t>{2, 2, 1, 1}));
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, host, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeGetEnabled(exec, host).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeSetEnabled(exec, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
