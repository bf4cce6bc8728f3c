// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <sstream>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimGraphTest : public GraphTest {};

TEST_F(SimGraphTest, ListsNodesAndEdgesInTheOrderOfTheirCreation) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph);
    const CUgraphNode c = add_empty(graph, {a});
    const CUgraphNode d = add_empty(graph, {b, c});
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

TEST_F(SimGraphTest, ListsAsManyNodesAsFit) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    add_empty(graph);
    Nodes short_list{nullptr, a};
    EXPECT_EQ(cuGraphGetNodes(graph, short_list.data(), 1).value, 1u);
    EXPECT_EQ(short_list, (Nodes{a, a}));
    Nodes long_list{a, a, a};
    EXPECT_EQ(cuGraphGetNodes(graph, long_list.data(), 3).value, 2u);
    EXPECT_EQ(long_list[2], nullptr);
}

TEST_F(SimGraphTest, AddsAndRemovesEdges) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph);
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

TEST_F(SimGraphTest, AddsTheEdgesBeforeTheFirstInvalidOne) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph);
    const CUgraphNode from[] = {a, b};
    const CUgraphNode to[] = {b, b};
    EXPECT_EQ(cuGraphAddDependencies(graph, from, to, nullptr, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(edges_of(graph), "0>1");
}

TEST_F(SimGraphTest, RejectsEdgeDataBetweenNodesThatAreNotKernels) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph);
    for (CUgraphEdgeData data : {CUgraphEdgeData{1, 0, 0, {}}, CUgraphEdgeData{0, 1, 0, {}}, CUgraphEdgeData{0, 0, 1, {}},
                                 CUgraphEdgeData{0, 0, 0, {1}}}) {
        EXPECT_EQ(cuGraphAddDependencies(graph, &a, &b, &data, 1).status, CUDA_ERROR_INVALID_VALUE);
    }
    EXPECT_EQ(edges_of(graph), "");
}

TEST_F(SimGraphTest, RejectsNodesOfOtherGraphs) {
    const CUgraph graph = create_graph();
    const CUgraphNode node = add_empty(graph);
    const CUgraphNode foreign = add_empty(create_graph());
    EXPECT_EQ(cuGraphAddEmptyNode(graph, &foreign, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &node, &foreign, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode twice[] = {node, node};
    EXPECT_EQ(cuGraphAddEmptyNode(graph, twice, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEmptyNode(graph, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(nodes_of(graph).size(), 1u);
}

TEST_F(SimGraphTest, RejectsStaleHandles) {
    const CUgraph graph = create_graph();
    const CUgraphNode node = add_empty(graph);
    const CUgraphExec exec = instantiate(graph);
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

TEST_F(SimGraphTest, RemovesTheEdgesOfADestroyedNode) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_empty(graph, {a});
    add_empty(graph, {b});
    EXPECT_EQ(cuGraphDestroyNode(b).status, CUDA_SUCCESS);
    EXPECT_EQ(edges_of(graph), "");
    EXPECT_EQ(nodes_of(graph).size(), 2u);
}

TEST_F(SimGraphTest, FindsTheCounterpartsInAClone) {
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_empty(graph);
    const CUgraphNode b = add_host_node(graph, 'b', {a});
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

TEST_F(SimGraphTest, CopiesTheGraphOfAChildNode) {
    const CUgraph inner = create_graph();
    add_empty(inner);
    const CUgraph graph = create_graph();
    auto [status, node] = cuGraphAddChildGraphNode(graph, nullptr, 0, inner);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUgraph child = cuGraphChildGraphNodeGetGraph(node).value;
    EXPECT_NE(child, inner);
    add_empty(inner);
    EXPECT_EQ(nodes_of(child).size(), 1u);
    EXPECT_EQ(cuGraphDestroy(child).status, CUDA_ERROR_INVALID_VALUE) << "the node owns it";
    EXPECT_EQ(cuGraphAddChildGraphNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDestroyNode(node).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddEmptyNode(child, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphTest, LimitsTheDepthOfChildGraphs) {
    CUgraph graph = create_graph();
    CUresult status = CUDA_SUCCESS;
    for (int level = 0; status == CUDA_SUCCESS && level < 200; ++level) {
        const CUgraph outer = create_graph();
        status = cuGraphAddChildGraphNode(outer, nullptr, 0, graph).status;
        graph = outer;
    }
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphTest, RejectsParametersOfAnotherNodeType) {
    const CUgraph graph = create_graph();
    const CUgraphNode node = add_empty(graph);
    const CUDA_HOST_NODE_PARAMS nothing{};
    EXPECT_EQ(cuGraphHostNodeGetParams(node).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphHostNodeSetParams(node, &nothing).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddHostNode(graph, nullptr, 0, &nothing).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddHostNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEventRecordNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUgraphNode record = cuGraphAddEventRecordNode(graph, nullptr, 0, create_event()).value;
    EXPECT_EQ(cuGraphEventWaitNodeGetEvent(record).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphEventRecordNodeSetEvent(record, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimGraphTest, RejectsInvalidMemsetsAndCopies) {
    const CUgraph graph = create_graph();
    const CUdeviceptr memory = allocate(1024);
    const CUDA_MEMSET_NODE_PARAMS valid{memory, 0, 5, 4, 10, 1};
    std::vector<CUDA_MEMSET_NODE_PARAMS> invalid_memsets(8, valid);
    invalid_memsets[0].elementSize = 3;
    invalid_memsets[1].width = 0;
    invalid_memsets[2].height = 0;
    invalid_memsets[3].dst = 0;
    invalid_memsets[4].dst = 0x1000;
    invalid_memsets[5].height = 4;
    invalid_memsets[5].pitch = 8;
    invalid_memsets[6].dst = memory + 1;
    invalid_memsets[7].width = 1000;
    for (const auto& each : invalid_memsets)
        EXPECT_EQ(cuGraphAddMemsetNode(graph, nullptr, 0, &each, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddMemsetNode(graph, nullptr, 0, &valid, reinterpret_cast<CUcontext>(16)).status,
              CUDA_ERROR_INVALID_CONTEXT);
    std::vector<CUDA_MEMCPY3D> invalid_copies(4, linear_copy(memory, memory + 512, 64));
    invalid_copies[0].WidthInBytes = 0;
    invalid_copies[1].srcDevice = 0;
    invalid_copies[2].srcMemoryType = static_cast<CUmemorytype>(9);
    invalid_copies[3].WidthInBytes = 2000;
    for (const auto& each : invalid_copies)
        EXPECT_EQ(cuGraphAddMemcpyNode(graph, nullptr, 0, &each, context).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraphTest, AddsNodesFromGenericParameters) {
    const CUgraph graph = create_graph();
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_HOST;
    parameters.host.fn = CallLog::record;
    parameters.host.userData = call_log.entry('a');
    const auto [status, node, given] = cuGraphAddNode(graph, nullptr, nullptr, 0, parameters);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetParams(node).value.host.userData, parameters.host.userData);
    parameters.host.userData = call_log.entry('b');
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

TEST_F(SimGraphTest, WritesAGraphvizFile) {
    const CUgraph inner = create_graph();
    add_empty(inner);
    const CUgraph graph = create_graph();
    const CUgraphNode a = add_host_node(graph, 'a');
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
