// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph_test.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace cubind::testing {
namespace {

class SimGraph : public GraphTest {};

TEST_F(SimGraph, ListsNodesAndEdgesInTheOrderOfTheirCreation) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph);
    const CUgraphNode c = empty(graph, {a});
    const CUgraphNode d = empty(graph, {b, c});
    EXPECT_EQ(nodes_of(graph), (Nodes{a, b, c, d}));
    EXPECT_EQ(edges_of(graph), "0>2 1>3 2>3");
    Nodes roots(2);
    EXPECT_EQ(cuGraphGetRootNodes(graph, roots.data(), 2).value, 2u);
    EXPECT_EQ(roots, (Nodes{a, b}));
    Nodes ends(2);
    EXPECT_EQ(cuGraphNodeGetDependencies(d, ends.data(), nullptr, 2).value, 2u);
    EXPECT_EQ(ends, (Nodes{b, c}));
    EXPECT_EQ(cuGraphNodeGetDependentNodes(a, ends.data(), nullptr, 2).value, 1u);
    EXPECT_EQ(ends, (Nodes{c, nullptr}));
    EXPECT_EQ(cuGraphNodeGetContainingGraph(c).value, graph);
    EXPECT_NE(cuGraphNodeGetLocalId(a).value, cuGraphNodeGetLocalId(b).value);
}

TEST_F(SimGraph, ListsAsManyAsThereIsPlaceFor) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    empty(graph);
    Nodes few{nullptr, a};
    EXPECT_EQ(cuGraphGetNodes(graph, few.data(), 1).value, 1u);
    EXPECT_EQ(few, (Nodes{a, a}));
    Nodes many{a, a, a};
    EXPECT_EQ(cuGraphGetNodes(graph, many.data(), 3).value, 2u);
    EXPECT_EQ(many[2], nullptr);
}

TEST_F(SimGraph, EdgesComeAndGo) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph);
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &b, nullptr, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(edges_of(graph), "0>1");
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &b, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &a, &b, nullptr, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(edges_of(graph), "");
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &a, &b, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &a, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, nullptr, nullptr, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0).status, CUDA_SUCCESS);
}

TEST_F(SimGraph, EdgesBeforeTheFirstWrongOneStay) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph);
    const CUgraphNode from[] = {a, b};
    const CUgraphNode to[] = {b, b};
    EXPECT_EQ(cuGraphAddDependencies(graph, from, to, nullptr, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(edges_of(graph), "0>1");
}

TEST_F(SimGraph, EdgeDataOfOtherNodesThanKernelsAreRefused) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph);
    for (CUgraphEdgeData data : {CUgraphEdgeData{1, 0, 0, {}}, CUgraphEdgeData{0, 1, 0, {}}, CUgraphEdgeData{0, 0, 1, {}},
                                 CUgraphEdgeData{0, 0, 0, {1}}}) {
        EXPECT_EQ(cuGraphAddDependencies(graph, &a, &b, &data, 1).status, CUDA_ERROR_INVALID_VALUE);
    }
    EXPECT_EQ(edges_of(graph), "");
}

TEST_F(SimGraph, NodesOfOtherGraphsAreRefused) {
    const CUgraph graph = new_graph();
    const CUgraphNode own = empty(graph);
    const CUgraphNode foreign = empty(new_graph());
    EXPECT_EQ(cuGraphAddEmptyNode(graph, &foreign, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &own, &foreign, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode twice[] = {own, own};
    EXPECT_EQ(cuGraphAddEmptyNode(graph, twice, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEmptyNode(graph, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(nodes_of(graph).size(), 1u);
}

TEST_F(SimGraph, StaleHandlesAreRefused) {
    const CUgraph graph = new_graph();
    const CUgraphNode node = empty(graph);
    const CUgraphExec exec = executable(graph);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeGetType(node).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEmptyNode(graph, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(exec, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDestroy(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphCreate(1).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, ADestroyedNodeTakesItsEdgesAlong) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = empty(graph, {a});
    empty(graph, {b});
    EXPECT_EQ(cuGraphDestroyNode(b).status, CUDA_SUCCESS);
    EXPECT_EQ(edges_of(graph), "");
    EXPECT_EQ(nodes_of(graph).size(), 2u);
}

TEST_F(SimGraph, ACloneHasCounterparts) {
    const CUgraph graph = new_graph();
    const CUgraphNode a = empty(graph);
    const CUgraphNode b = note(graph, 'b', {a});
    const CUgraph clone = cuGraphClone(graph).value;
    EXPECT_EQ(edges_of(clone), "0>1");
    const CUgraphNode found = cuGraphNodeFindInClone(b, clone).value;
    EXPECT_EQ(found, nodes_of(clone)[1]);
    EXPECT_EQ(cuGraphHostNodeGetParams(found).value.userData, cuGraphHostNodeGetParams(b).value.userData);
    EXPECT_EQ(cuGraphNodeFindInClone(b, graph).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeFindInClone(found, clone).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraph second = cuGraphClone(clone).value;
    EXPECT_EQ(cuGraphNodeFindInClone(b, second).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphClone(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, AChildIsACopyOfTheGraph) {
    const CUgraph inner = new_graph();
    empty(inner);
    const CUgraph graph = new_graph();
    auto [status, node] = cuGraphAddChildGraphNode(graph, nullptr, 0, inner);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUgraph child = cuGraphChildGraphNodeGetGraph(node).value;
    EXPECT_NE(child, inner);
    empty(inner);
    EXPECT_EQ(nodes_of(child).size(), 1u);
    EXPECT_EQ(cuGraphDestroy(child).status, CUDA_ERROR_INVALID_VALUE) << "it is the node's";
    EXPECT_EQ(cuGraphAddChildGraphNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddEmptyNode(child, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, GraphsWithinGraphsHaveALimit) {
    CUgraph graph = new_graph();
    CUresult status = CUDA_SUCCESS;
    for (int level = 0; status == CUDA_SUCCESS && level < 200; ++level) {
        const CUgraph outer = new_graph();
        status = cuGraphAddChildGraphNode(outer, nullptr, 0, graph).status;
        graph = outer;
    }
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, ParametersOfTheWrongKindAreRefused) {
    const CUgraph graph = new_graph();
    const CUgraphNode node = empty(graph);
    const CUDA_HOST_NODE_PARAMS nothing{};
    EXPECT_EQ(cuGraphHostNodeGetParams(node).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphHostNodeSetParams(node, &nothing).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddHostNode(graph, nullptr, 0, &nothing).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddHostNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEventRecordNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode record = cuGraphAddEventRecordNode(graph, nullptr, 0, event()).value;
    EXPECT_EQ(cuGraphEventWaitNodeGetEvent(record).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphEventRecordNodeSetEvent(record, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, BadFillsAndCopiesAreRefused) {
    const CUgraph graph = new_graph();
    const CUdeviceptr memory = allocate(1024);
    const CUDA_MEMSET_NODE_PARAMS good{memory, 0, 5, 4, 10, 1};
    std::vector<CUDA_MEMSET_NODE_PARAMS> bad(8, good);
    bad[0].elementSize = 3;
    bad[1].width = 0;
    bad[2].height = 0;
    bad[3].dst = 0;
    bad[4].dst = 0x1000;
    bad[5].height = 4;
    bad[5].pitch = 8;
    bad[6].dst = memory + 1;
    bad[7].width = 1000;
    for (const auto& each : bad)
        EXPECT_EQ(cuGraphAddMemsetNode(graph, nullptr, 0, &each, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddMemsetNode(graph, nullptr, 0, &good, reinterpret_cast<CUcontext>(16)).status, CUDA_ERROR_INVALID_CONTEXT);
    std::vector<CUDA_MEMCPY3D> wrong(4, line(memory, memory + 512, 64));
    wrong[0].WidthInBytes = 0;
    wrong[1].srcDevice = 0;
    wrong[2].srcMemoryType = static_cast<CUmemorytype>(9);
    wrong[3].WidthInBytes = 2000;
    for (const auto& each : wrong)
        EXPECT_EQ(cuGraphAddMemcpyNode(graph, nullptr, 0, &each, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraph, NodesCanBeDescribedByOneRecord) {
    const CUgraph graph = new_graph();
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_HOST;
    parameters.host.fn = Diary::write;
    parameters.host.userData = diary.entry('a');
    const auto [status, node, given] = cuGraphAddNode(graph, nullptr, nullptr, 0, parameters);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetParams(node).value.host.userData, parameters.host.userData);
    parameters.host.userData = diary.entry('b');
    EXPECT_EQ(cuGraphNodeSetParams(node, &parameters).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphHostNodeGetParams(node).value.userData, parameters.host.userData);
    parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
    EXPECT_EQ(cuGraphNodeSetParams(node, &parameters).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphNodeSetParams(node, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    parameters.reserved2 = 1;
    EXPECT_EQ(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters).status, CUDA_ERROR_INVALID_VALUE);
    parameters.reserved2 = 0;
    parameters.type = static_cast<CUgraphNodeType>(77);
    EXPECT_EQ(cuGraphAddNode(graph, nullptr, nullptr, 0, parameters).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraph, IsPrintedForGraphviz) {
    const CUgraph inner = new_graph();
    empty(inner);
    const CUgraph graph = new_graph();
    const CUgraphNode a = note(graph, 'a');
    ASSERT_EQ(cuGraphAddChildGraphNode(graph, &a, 1, inner).status, CUDA_SUCCESS);
    const std::string path = ::testing::TempDir() + "/cubind_graph.dot";
    ASSERT_EQ(cuGraphDebugDotPrint(graph, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES).status, CUDA_SUCCESS);
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::remove(path.c_str());
    EXPECT_EQ(text.str().rfind("digraph ", 0), 0u);
    EXPECT_NE(text.str().find("host function"), std::string::npos);
    EXPECT_NE(text.str().find("subgraph cluster_"), std::string::npos);
    EXPECT_NE(text.str().find("n0 -> n1;"), std::string::npos);
    EXPECT_EQ(cuGraphDebugDotPrint(graph, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0).status, CUDA_ERROR_OPERATING_SYSTEM);
}

}  // namespace
}  // namespace cubind::testing
