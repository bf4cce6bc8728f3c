// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_test.hpp"

#include <thread>

namespace cubind::testing {
namespace {

class SimGraphLifetime : public GraphTest {
protected:
    /// A user object whose end is counted.
    CUuserObject object(unsigned references) {
        const auto [status, made] = cuUserObjectCreate(
            &ends,
            [](void* count) {
                static_cast<std::atomic<int>*>(count)->fetch_add(1);
                static_cast<std::atomic<int>*>(count)->notify_all();
            },
            references, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return made;
    }

    std::atomic<int> ends{0};
};

TEST_F(SimGraphLifetime, UserObjectsEndOnce) {
    const CUuserObject made = object(1);
    EXPECT_EQ(cuUserObjectRetain(made, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuUserObjectRelease(made, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(ends.load(), 0);
    EXPECT_EQ(cuUserObjectRelease(made, 2).status, CUDA_ERROR_INVALID_VALUE) << "there are not so many";
    EXPECT_EQ(cuUserObjectRelease(made, 1).status, CUDA_SUCCESS);
    ends.wait(0);
    EXPECT_EQ(cuUserObjectRelease(made, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectRetain(made, 1).status, CUDA_ERROR_INVALID_VALUE);
    cubind::sim::uninstall();
    EXPECT_EQ(ends.load(), 1);
}

TEST_F(SimGraphLifetime, GraphsCopiesAndExecutablesKeepThem) {
    const CUgraph graph = new_graph();
    const CUuserObject made = object(1);
    ASSERT_EQ(cuGraphRetainUserObject(graph, made, 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUgraph clone = cuGraphClone(graph).value;
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(clone).status, CUDA_SUCCESS);
    EXPECT_EQ(ends.load(), 0);
    const CUstream in = stream();
    {
        Gate gate(in);
        ASSERT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
        EXPECT_EQ(ends.load(), 0) << "the launch has not ended";
    }
    ends.wait(0);
    EXPECT_EQ(ends.load(), 1);
}

TEST_F(SimGraphLifetime, AnUpdateHandsOverToTheOtherGraphsObjects) {
    const CUgraph former = new_graph();
    ASSERT_EQ(cuGraphRetainUserObject(former, object(1), 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUgraphExec exec = executable(former);
    EXPECT_EQ(cuGraphDestroy(former).status, CUDA_SUCCESS);
    const CUgraph next = new_graph();
    ASSERT_EQ(cuGraphRetainUserObject(next, object(1), 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUstream in = stream();
    {
        Gate gate(in);
        ASSERT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphExecUpdate(exec, next).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphDestroy(next).status, CUDA_SUCCESS);
        EXPECT_EQ(ends.load(), 0) << "the launch before needs the former one";
    }
    ends.wait(0);
    EXPECT_EQ(ends.load(), 1);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    ends.wait(1);
    EXPECT_EQ(ends.load(), 2);
}

TEST_F(SimGraphLifetime, GraphsGiveReferencesBack) {
    const CUgraph graph = new_graph();
    const CUuserObject made = object(1);
    ASSERT_EQ(cuGraphRetainUserObject(graph, made, 2, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, made, 3).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, made, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, made, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRetainUserObject(graph, made, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRetainUserObject(graph, made, 1, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(ends.load(), 0);
}

TEST_F(SimGraphLifetime, WrongUserObjectsAreRefused) {
    const CUhostFn nothing = [](void*) {};
    EXPECT_EQ(cuUserObjectCreate(nullptr, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectCreate(nullptr, nothing, 1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectCreate(nullptr, nothing, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectRelease(nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLifetime, NothingIsLeftOfAnotherMachine) {
    const CUgraph graph = new_graph();
    const CUgraphExec exec = executable(graph);
    ASSERT_EQ(cuStreamBeginCapture(stream(), CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    cubind::sim::install();
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_SUCCESS) << "nothing is captured";
}

TEST_F(SimGraphLifetime, ThreadsBuildLaunchUpdateAndCaptureAtOnce) {
    constexpr int rounds = 40;
    const CUgraph shared = new_graph();
    std::atomic<int> calls{0};
    const CUDA_HOST_NODE_PARAMS call{[](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }, &calls};
    const CUgraphNode counted = cuGraphAddHostNode(shared, nullptr, 0, &call).value;
    const CUgraphExec exec = executable(shared);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            const CUstream in = stream();
            for (int round = 0; round < rounds; ++round) {
                EXPECT_EQ(cuGraphLaunch(exec, in).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphExecHostNodeSetParams(exec, counted, &call).status, CUDA_SUCCESS);
                EXPECT_EQ(cuStreamBeginCapture(in, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
                EXPECT_EQ(cuLaunchHostFunc(in, call.fn, call.userData).status, CUDA_SUCCESS);
                const CUgraph captured = cuStreamEndCapture(in).value;
                EXPECT_EQ(cuGraphExecUpdate(exec, captured).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphDestroy(captured).status, CUDA_SUCCESS);
                empty(shared);
            }
            EXPECT_EQ(cuStreamSynchronize(in).status, CUDA_SUCCESS);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls.load(), 4 * rounds);
    EXPECT_EQ(nodes_of(shared).size(), 1u + 4 * rounds);
}

}  // namespace
}  // namespace cubind::testing
