// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

/// A graph of a memset, a copy, a host function and an event record, in this order.
class SimGraphUpdateTest : public GraphTest {
protected:
    void SetUp() override {
        GraphTest::SetUp();
        memory = allocate(256);
        graph = create_graph();
        filled = add_fill(graph, byte_fill(memory, 1, 16));
        copied = add_copy(graph, linear_copy(memory + 128, memory, 16), {filled});
        host = add_host_node(graph, 'a', {copied});
        recorded = cuGraphAddEventRecordNode(graph, &host, 1, create_event()).value;
        exec = instantiate(graph);
    }

    /// Updates the executable with a clone of the graph that `change(clone)` has modified, and returns the result.
    template <class Change>
    CUgraphExecUpdateResultInfo update(Change change) {
        const CUgraph clone = cuGraphClone(graph).value;
        change(clone);
        const auto [status, info] = cuGraphExecUpdate(exec, clone);
        EXPECT_EQ(status, info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
        return info;
    }
    static CUgraphNode counterpart(CUgraph clone, CUgraphNode original) { return cuGraphNodeFindInClone(original, clone).value; }

    CUdeviceptr memory = 0;
    CUgraph graph = nullptr;
    CUgraphNode filled = nullptr;
    CUgraphNode copied = nullptr;
    CUgraphNode host = nullptr;
    CUgraphNode recorded = nullptr;
    CUgraphExec exec = nullptr;
};

TEST_F(SimGraphUpdateTest, AppliesNewParameters) {
    const auto info = update([&](CUgraph clone) {
        const CUDA_MEMSET_NODE_PARAMS other{memory, 0, 0x0505, 2, 8, 1};
        EXPECT_EQ(cuGraphMemsetNodeSetParams(counterpart(clone, filled), &other).status, CUDA_SUCCESS);
        const CUDA_HOST_NODE_PARAMS call{CallLog::record, call_log.entry('z')};
        EXPECT_EQ(cuGraphHostNodeSetParams(counterpart(clone, host), &call).status, CUDA_SUCCESS);
    });
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory + 128, 16), std::vector<std::uint8_t>(16, 5));
    EXPECT_EQ(call_log.letters(), "z");
}

TEST_F(SimGraphUpdateTest, ReportsAChangedTopology) {
    EXPECT_EQ(update([](CUgraph clone) { add_empty(clone); }).result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_EQ(
        update([&](CUgraph clone) { EXPECT_EQ(cuGraphDestroyNode(counterpart(clone, recorded)).status, CUDA_SUCCESS); }).result,
        CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    CUgraphNode to = nullptr;
    const auto added = update([&](CUgraph clone) {
        const CUgraphNode from = counterpart(clone, filled);
        to = counterpart(clone, host);
        EXPECT_EQ(cuGraphAddDependencies(clone, &from, &to, nullptr, 1).status, CUDA_SUCCESS);
    });
    EXPECT_EQ(added.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_EQ(added.errorNode, to);
    const auto removed = update([&](CUgraph clone) {
        const CUgraphNode from = counterpart(clone, copied);
        to = counterpart(clone, host);
        EXPECT_EQ(cuGraphRemoveDependencies(clone, &from, &to, nullptr, 1).status, CUDA_SUCCESS);
    });
    EXPECT_EQ(removed.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
}

TEST_F(SimGraphUpdateTest, ReportsAChangedNodeType) {
    CUgraphNode changed = nullptr;
    const auto info = update([&](CUgraph clone) {
        EXPECT_EQ(cuGraphDestroyNode(counterpart(clone, recorded)).status, CUDA_SUCCESS);
        changed = add_empty(clone, {counterpart(clone, host)});
    });
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    EXPECT_EQ(info.errorNode, changed);
}

TEST_F(SimGraphUpdateTest, ReportsParametersThatCannotChange) {
    CUgraphNode changed = nullptr;
    const auto planes = update([&](CUgraph clone) {
        const CUDA_MEMSET_NODE_PARAMS plane{memory, 32, 5, 1, 8, 3};
        changed = counterpart(clone, filled);
        EXPECT_EQ(cuGraphMemsetNodeSetParams(changed, &plane).status, CUDA_SUCCESS);
    });
    EXPECT_EQ(planes.result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    EXPECT_EQ(planes.errorNode, changed);
    const auto from_host = update([&](CUgraph clone) {
        CUDA_MEMCPY3D other = linear_copy(memory, 0, 16);
        other.srcMemoryType = CU_MEMORYTYPE_HOST;
        other.srcHost = cuMemAllocHost(16).value;
        EXPECT_EQ(cuGraphMemcpyNodeSetParams(counterpart(clone, copied), &other).status, CUDA_SUCCESS);
    });
    EXPECT_EQ(from_host.result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory, 16), std::vector<std::uint8_t>(16, 1)) << "a failed update changes nothing";
}

TEST_F(SimGraphUpdateTest, UpdatesSingleNodes) {
    const CUDA_MEMSET_NODE_PARAMS other = byte_fill(memory, 9, 16);
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, filled, &other, context).status, CUDA_SUCCESS);
    const CUDA_HOST_NODE_PARAMS call{CallLog::record, call_log.entry('y')};
    EXPECT_EQ(cuGraphExecHostNodeSetParams(exec, host, &call).status, CUDA_SUCCESS);
    const CUDA_MEMCPY3D half = linear_copy(memory + 64, memory, 8);
    EXPECT_EQ(cuGraphExecMemcpyNodeSetParams(exec, copied, &half, context).status, CUDA_SUCCESS);
    const CUevent event = create_event();
    EXPECT_EQ(cuGraphExecEventRecordNodeSetEvent(exec, recorded, event).status, CUDA_SUCCESS);
    launch(exec, create_stream());
    EXPECT_EQ(read(memory + 64, 8), std::vector<std::uint8_t>(8, 9));
    EXPECT_EQ(call_log.letters(), "y");
    EXPECT_EQ(cuEventElapsedTime(event, event).status, CUDA_SUCCESS) << "it was recorded";
}

TEST_F(SimGraphUpdateTest, ChangesOnlyCopiesOfOneDimension) {
    CUDA_MEMCPY3D rows = linear_copy(memory + 64, memory, 8);
    rows.Height = rows.srcHeight = rows.dstHeight = 2;
    rows.srcPitch = rows.dstPitch = 8;
    EXPECT_EQ(cuGraphExecMemcpyNodeSetParams(exec, copied, &rows, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphMemcpyNodeSetParams(copied, &rows).status, CUDA_SUCCESS);
    const CUgraphExec other = cuGraphInstantiate(graph, 0).value;
    const CUDA_MEMCPY3D half = linear_copy(memory + 64, memory, 8);
    EXPECT_EQ(cuGraphExecMemcpyNodeSetParams(other, copied, &half, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecDestroy(other).status, CUDA_SUCCESS);
}

TEST_F(SimGraphUpdateTest, RejectsInvalidNodesAndParameters) {
    CUDA_MEMSET_NODE_PARAMS other = byte_fill(memory, 9, 16);
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, copied, &other, context).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode added_later = add_fill(graph, other);
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, added_later, &other, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, filled, nullptr, context).status, CUDA_ERROR_INVALID_VALUE);
    other.dst = 0x1000;
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, filled, &other, context).status, CUDA_ERROR_INVALID_VALUE);
    other = {memory, 32, 9, 1, 16, 2};
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(exec, filled, &other, context).status, CUDA_ERROR_INVALID_VALUE);
    const CUDA_HOST_NODE_PARAMS none{};
    EXPECT_EQ(cuGraphExecHostNodeSetParams(exec, host, &none).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecEventWaitNodeSetEvent(exec, recorded, create_event()).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecEventRecordNodeSetEvent(exec, recorded, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecUpdate(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecUpdate(nullptr, graph).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphUpdateTest, RequiresTheSameTopologyOfAChildGraph) {
    const CUgraph inner = create_graph();
    add_host_node(inner, 'b');
    const CUgraph outer = create_graph();
    const CUgraphNode child = cuGraphAddChildGraphNode(outer, nullptr, 0, inner).value;
    const CUgraphExec whole = instantiate(outer);
    const CUgraph other = create_graph();
    add_host_node(other, 'c');
    EXPECT_EQ(cuGraphExecChildGraphNodeSetParams(whole, child, other).status, CUDA_SUCCESS);
    launch(whole, create_stream());
    EXPECT_EQ(call_log.letters(), "c");
    add_empty(other);
    EXPECT_EQ(cuGraphExecChildGraphNodeSetParams(whole, child, other).status, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    const CUDA_HOST_NODE_PARAMS call{CallLog::record, call_log.entry('d')};
    EXPECT_EQ(cuGraphExecHostNodeSetParams(whole, nodes_of(inner)[0], &call).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode within = nodes_of(cuGraphChildGraphNodeGetGraph(child).value)[0];
    EXPECT_EQ(cuGraphExecHostNodeSetParams(whole, within, &call).status, CUDA_SUCCESS);
    launch(whole, create_stream());
    EXPECT_EQ(call_log.letters(), "cd");
}

}  // namespace
}  // namespace cubind::testing
