// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphLifetimeTest : public GraphTest {
protected:
    /// Creates a user object whose destructor increments `destroyed`.
    CUuserObject create_object(unsigned references) {
        const auto [status, object] = cuUserObjectCreate(
            &destroyed,
            [](void* count) {
                static_cast<std::atomic<int>*>(count)->fetch_add(1);
                static_cast<std::atomic<int>*>(count)->notify_all();
            },
            references, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return object;
    }

    std::atomic<int> destroyed{0};
};

TEST_F(SimGraphLifetimeTest, DestroysAUserObjectOnce) {
    const CUuserObject object = create_object(1);
    EXPECT_EQ(cuUserObjectRetain(object, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuUserObjectRelease(object, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(destroyed.load(), 0);
    EXPECT_EQ(cuUserObjectRelease(object, 2).status, CUDA_ERROR_INVALID_VALUE) << "it has fewer references";
    EXPECT_EQ(cuUserObjectRelease(object, 1).status, CUDA_SUCCESS);
    destroyed.wait(0);
    EXPECT_EQ(cuUserObjectRelease(object, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectRetain(object, 1).status, CUDA_ERROR_INVALID_VALUE);
    cubind::sim::uninstall();
    EXPECT_EQ(destroyed.load(), 1);
}

TEST_F(SimGraphLifetimeTest, RetainsUserObjectsForClonesAndExecutables) {
    const CUgraph graph = create_graph();
    const CUuserObject object = create_object(1);
    ASSERT_EQ(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUgraph clone = cuGraphClone(graph).value;
    const CUgraphExec exec = instantiate(graph);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(clone).status, CUDA_SUCCESS);
    EXPECT_EQ(destroyed.load(), 0);
    const CUstream stream = create_stream();
    {
        Gate gate(stream);
        ASSERT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
        EXPECT_EQ(destroyed.load(), 0) << "the launch has not ended";
    }
    destroyed.wait(0);
    EXPECT_EQ(destroyed.load(), 1);
}

TEST_F(SimGraphLifetimeTest, RetainsTheUserObjectsOfTheNewGraphAfterAnUpdate) {
    const CUgraph former = create_graph();
    ASSERT_EQ(cuGraphRetainUserObject(former, create_object(1), 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUgraphExec exec = instantiate(former);
    EXPECT_EQ(cuGraphDestroy(former).status, CUDA_SUCCESS);
    const CUgraph next = create_graph();
    ASSERT_EQ(cuGraphRetainUserObject(next, create_object(1), 1, CU_GRAPH_USER_OBJECT_MOVE).status, CUDA_SUCCESS);
    const CUstream stream = create_stream();
    {
        Gate gate(stream);
        ASSERT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        ASSERT_EQ(cuGraphExecUpdate(exec, next).status, CUDA_SUCCESS);
        EXPECT_EQ(cuGraphDestroy(next).status, CUDA_SUCCESS);
        EXPECT_EQ(destroyed.load(), 0) << "the previous launch uses the former object";
    }
    destroyed.wait(0);
    EXPECT_EQ(destroyed.load(), 1);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    destroyed.wait(1);
    EXPECT_EQ(destroyed.load(), 2);
}

TEST_F(SimGraphLifetimeTest, ReleasesReferencesOfAGraph) {
    const CUgraph graph = create_graph();
    const CUuserObject object = create_object(1);
    ASSERT_EQ(cuGraphRetainUserObject(graph, object, 2, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, object, 3).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, object, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphReleaseUserObject(graph, object, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRetainUserObject(graph, object, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRetainUserObject(graph, object, 1, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(destroyed.load(), 0);
}

TEST_F(SimGraphLifetimeTest, RejectsInvalidUserObjects) {
    const CUhostFn nothing = [](void*) {};
    EXPECT_EQ(cuUserObjectCreate(nullptr, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectCreate(nullptr, nothing, 1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectCreate(nullptr, nothing, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuUserObjectRelease(nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphLifetimeTest, DestroysGraphsAndCapturesOnInstall) {
    const CUgraph graph = create_graph();
    const CUgraphExec exec = instantiate(graph);
    ASSERT_EQ(cuStreamBeginCapture(create_stream(), CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    cubind::sim::install();
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphClone(graph).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_SUCCESS) << "no capture remains";
}

TEST_F(SimGraphLifetimeTest, SupportsThreadsThatBuildLaunchUpdateAndCapture) {
    constexpr int rounds = 40;
    const CUgraph shared = create_graph();
    std::atomic<int> calls{0};
    const CUDA_HOST_NODE_PARAMS call{[](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }, &calls};
    const CUgraphNode counted = cuGraphAddHostNode(shared, nullptr, 0, &call).value;
    const CUgraphExec exec = instantiate(shared);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            const CUstream stream = create_stream();
            for (int round = 0; round < rounds; ++round) {
                EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphExecHostNodeSetParams(exec, counted, &call).status, CUDA_SUCCESS);
                EXPECT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
                EXPECT_EQ(cuLaunchHostFunc(stream, call.fn, call.userData).status, CUDA_SUCCESS);
                const CUgraph captured = cuStreamEndCapture(stream).value;
                EXPECT_EQ(cuGraphExecUpdate(exec, captured).status, CUDA_SUCCESS);
                EXPECT_EQ(cuGraphDestroy(captured).status, CUDA_SUCCESS);
                add_empty(shared);
            }
            EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls.load(), 4 * rounds);
    EXPECT_EQ(nodes_of(shared).size(), 1u + 4 * rounds);
}

}  // namespace
}  // namespace cubind::testing
