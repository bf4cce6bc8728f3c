// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimCaptureTest : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        first = create_stream();
        second = create_stream();
        memory = allocate(4096);
    }
    void begin_capture(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) const {
        ASSERT_EQ(cuStreamBeginCapture(first, mode).status, CUDA_SUCCESS);
    }
    CUgraph end_capture() const {
        auto [status, graph] = cuStreamEndCapture(first);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return graph;
    }
    void enqueue_memset(CUstream stream, unsigned char value = 1) const {
        EXPECT_EQ(cuMemsetD8Async(memory, value, 16, stream).status, CUDA_SUCCESS);
    }

    CUstream first = nullptr;
    CUstream second = nullptr;
    CUdeviceptr memory = 0;
};

TEST_F(SimCaptureTest, RecordsWorkAsNodesWithoutRunningIt) {
    begin_capture();
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    enqueue_memset(first);
    EXPECT_EQ(cuLaunchHostFunc(first, CallLog::record, call_log.entry('a')).status, CUDA_SUCCESS);
    const CUgraph graph = end_capture();
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_EQ(types_of(graph), (std::vector<CUgraphNodeType>{CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_HOST}));
    EXPECT_EQ(edges_of(graph), "0>1");
    EXPECT_EQ(cuStreamSynchronize(first).status, CUDA_SUCCESS);
    EXPECT_EQ(call_log.letters(), "");
    launch(instantiate(graph), first);
    EXPECT_EQ(call_log.letters(), "a");
    EXPECT_EQ(read(memory, 16), std::vector<std::uint8_t>(16, 1));
}

TEST_F(SimCaptureTest, StoresTheParametersOfTheCallsInTheNodes) {
    void* const host = cuMemAllocHost(256).value;
    begin_capture();
    ASSERT_EQ(cuMemcpyHtoDAsync(memory, host, 100, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD2D16Async(memory, 256, 9, 10, 4, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuLaunchHostFunc(first, CallLog::record, host).status, CUDA_SUCCESS);
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.srcDevice = memory;
    plane.srcPitch = 64;
    plane.srcXInBytes = 3;
    plane.srcY = 2;
    plane.dstMemoryType = CU_MEMORYTYPE_HOST;
    plane.dstHost = host;
    plane.dstPitch = 32;
    plane.WidthInBytes = 20;
    plane.Height = 5;
    ASSERT_EQ(cuMemcpy2DAsync(&plane, first).status, CUDA_SUCCESS);
    const Nodes nodes = nodes_of(end_capture());
    ASSERT_EQ(nodes.size(), 4u);
    const CUDA_MEMCPY3D line = cuGraphMemcpyNodeGetParams(nodes[0]).value;
    EXPECT_EQ(line.srcMemoryType, CU_MEMORYTYPE_HOST);
    EXPECT_EQ(line.srcHost, host);
    EXPECT_EQ(line.dstMemoryType, CU_MEMORYTYPE_DEVICE);
    EXPECT_EQ(line.dstDevice, memory);
    EXPECT_EQ(line.WidthInBytes, 100u);
    EXPECT_EQ(line.Height, 1u);
    const CUDA_MEMSET_NODE_PARAMS fill = cuGraphMemsetNodeGetParams(nodes[1]).value;
    EXPECT_EQ(fill.dst, memory);
    EXPECT_EQ(fill.elementSize, 2u);
    EXPECT_EQ(fill.value, 9u);
    EXPECT_EQ(fill.pitch, 256u);
    EXPECT_EQ(fill.width, 10u);
    EXPECT_EQ(fill.height, 4u);
    EXPECT_EQ(cuGraphHostNodeGetParams(nodes[2]).value.userData, host);
    const CUDA_MEMCPY3D box = cuGraphMemcpyNodeGetParams(nodes[3]).value;
    EXPECT_EQ(box.srcDevice + box.srcY * box.srcPitch + box.srcXInBytes, memory + 2 * 64 + 3);
    EXPECT_EQ(box.dstPitch, 32u);
    EXPECT_EQ(box.WidthInBytes, 20u);
    EXPECT_EQ(box.Height, 5u);
}

TEST_F(SimCaptureTest, ForksAndJoinsThroughEvents) {
    const CUevent fork = create_event();
    const CUevent join = create_event();
    begin_capture();
    enqueue_memset(first);
    ASSERT_EQ(cuEventRecord(fork, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(second, fork, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(capture_status(second), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    enqueue_memset(second);
    enqueue_memset(first);
    ASSERT_EQ(cuEventRecord(join, second).status, CUDA_SUCCESS);
    ASSERT_EQ(cuStreamWaitEvent(first, join, 0).status, CUDA_SUCCESS);
    enqueue_memset(first);
    EXPECT_EQ(edges_of(end_capture()), "0>1 0>2 1>3 2>3");
    EXPECT_EQ(capture_status(second), CU_STREAM_CAPTURE_STATUS_NONE);
    EXPECT_EQ(cuEventQuery(join).status, CUDA_ERROR_INVALID_VALUE) << "its recording ended with the capture";
    EXPECT_EQ(cuStreamWaitEvent(second, join, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuEventRecord(join, second).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventSynchronize(join).status, CUDA_SUCCESS);
}

TEST_F(SimCaptureTest, RecordsExternalEventsAsNodes) {
    const CUevent mark = create_event();
    EXPECT_EQ(cuEventRecordWithFlags(mark, first, CU_EVENT_RECORD_EXTERNAL).status, CUDA_ERROR_ILLEGAL_STATE);
    EXPECT_EQ(cuStreamWaitEvent(first, mark, CU_EVENT_WAIT_EXTERNAL).status, CUDA_ERROR_ILLEGAL_STATE);
    begin_capture();
    EXPECT_EQ(cuStreamWaitEvent(first, mark, CU_EVENT_WAIT_EXTERNAL).status, CUDA_SUCCESS);
    EXPECT_EQ(cuEventRecordWithFlags(mark, first, CU_EVENT_RECORD_EXTERNAL).status, CUDA_SUCCESS);
    const CUgraph graph = end_capture();
    EXPECT_EQ(types_of(graph), (std::vector<CUgraphNodeType>{CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_EVENT_RECORD}));
    EXPECT_EQ(cuGraphEventRecordNodeGetEvent(nodes_of(graph)[1]).value, mark);
}

TEST_F(SimCaptureTest, RecordsStreamOrderedAllocationsAsMemoryNodes) {
    begin_capture();
    const auto [status, address] = cuMemAllocAsync(1000, first);
    ASSERT_EQ(status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD8Async(address, 7, 1000, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemcpyDtoDAsync(memory, address, 16, first).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemFreeAsync(address, first).status, CUDA_SUCCESS);
    const CUgraph graph = end_capture();
    const Nodes nodes = nodes_of(graph);
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(cuGraphMemAllocNodeGetParams(nodes[0]).value.dptr, address);
    EXPECT_EQ(cuGraphMemAllocNodeGetParams(nodes[0]).value.bytesize, 1000u);
    EXPECT_EQ(cuGraphMemFreeNodeGetParams(nodes[3]).value, address);
    launch(instantiate(graph), first);
    EXPECT_EQ(read(memory, 16), std::vector<std::uint8_t>(16, 7));
}

TEST_F(SimCaptureTest, ExtendsAnExistingGraph) {
    const CUgraph graph = create_graph();
    const CUgraphNode before = add_empty(graph);
    ASSERT_EQ(cuStreamBeginCaptureToGraph(first, graph, &before, nullptr, 1, CU_STREAM_CAPTURE_MODE_RELAXED).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_ERROR_ILLEGAL_STATE);
    enqueue_memset(first);
    EXPECT_EQ(end_capture(), graph);
    EXPECT_EQ(edges_of(graph), "0>1");
    const CUgraphNode foreign = add_empty(create_graph());
    EXPECT_EQ(cuStreamBeginCaptureToGraph(first, graph, &foreign, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamBeginCaptureToGraph(first, nullptr, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_GLOBAL).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(SimCaptureTest, ReportsAndUpdatesTheDependenciesOfTheNextNode) {
    begin_capture();
    auto [status, state, id, graph, nodes, edges, count] = cuStreamGetCaptureInfo(first);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(state, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    EXPECT_NE(id, 0u);
    EXPECT_EQ(count, 0u);
    enqueue_memset(first);
    const auto [again, still, same, target, ends, data, one] = cuStreamGetCaptureInfo(first);
    ASSERT_EQ(one, 1u);
    CUgraphNode node = ends[0];
    EXPECT_EQ(node, nodes_of(graph)[0]);
    CUgraphNode added = add_empty(graph);
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, &added, nullptr, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, &added, nullptr, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES).status,
              CUDA_SUCCESS);
    enqueue_memset(first);
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, &node, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES).status,
              CUDA_SUCCESS);
    enqueue_memset(first);
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, &node, nullptr, 1, 7).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, nullptr, nullptr, 1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(edges_of(end_capture()), "0>2 0>3 1>2");
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, nullptr, nullptr, 0, 0).status, CUDA_ERROR_ILLEGAL_STATE);
    EXPECT_EQ(capture_status(first), CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(SimCaptureTest, RejectsANodeThatADependencyDoesNotFit) {
    begin_capture();
    enqueue_memset(first);
    const auto [status, state, id, graph, nodes, edges, count] = cuStreamGetCaptureInfo(first);
    ASSERT_EQ(count, 1u);
    CUgraphNode node = nodes[0];
    const CUgraphEdgeData programmatic{1, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}};
    EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, &node, &programmatic, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8Async(memory, 0, 1, first).status, CUDA_ERROR_INVALID_VALUE) << "only kernels have such edges";
    EXPECT_EQ(nodes_of(end_capture()).size(), 1u);
}

TEST_F(SimCaptureTest, RunsOnSeveralStreamsAtOnce) {
    begin_capture();
    ASSERT_EQ(cuStreamBeginCapture(second, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    enqueue_memset(first);
    enqueue_memset(second);
    enqueue_memset(second);
    const auto [status, other] = cuStreamEndCapture(second);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(nodes_of(other).size(), 2u);
    EXPECT_EQ(nodes_of(end_capture()).size(), 1u);
}

TEST_F(SimCaptureTest, EndsWithItsStream) {
    begin_capture();
    EXPECT_EQ(cuStreamDestroy(first).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_SUCCESS) << "no capture remains";
}

TEST_F(SimCaptureTest, DestroysItsGraphWhenItFails) {
    const CUgraph graph = create_graph();
    ASSERT_EQ(cuStreamBeginCaptureToGraph(first, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(first).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamEndCapture(first).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimCaptureTest, EndsWithItsContext) {
    const CUcontext other = cuCtxCreate_v2(0, 0).value;
    const CUstream stream = create_stream();
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy_v2(other).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(64).status, CUDA_SUCCESS) << "no capture remains";
}

}  // namespace
}  // namespace cubind::testing
