// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/stream.hpp>

#include <filesystem>
#include <utility>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class GraphDefinitionTest : public DefinitionTest {};

TEST_F(GraphDefinitionTest, RunsItsNodesInTheOrderOfTheEdges) {
    GraphDefinition definition(device);
    auto other = zeros();
    const FillNode start = definition.fill(data, 5u);
    const KernelNode left = start.launch(config, add, data, 1u, n);
    const KernelNode right = start.launch(config, add, other, 2u, n);
    std::vector<unsigned int> results(n);
    definition.after({left, right}).copy(results, data).copy(data, other);
    const Graph graph = definition.instantiate();
    EXPECT_EQ(first(), 0u) << "nothing runs before the launch";
    EXPECT_EQ(launch(graph), 2u);
    EXPECT_EQ(results, std::vector<unsigned int>(n, 6));
    EXPECT_EQ(launch(graph), 4u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(GraphDefinitionTest, ListsNodesAndEdges) {
    GraphDefinition definition(device);
    EXPECT_TRUE(definition.nodes().empty());
    const FillNode fill = definition.fill(data, 5u);
    const KernelNode left = fill.launch(config, add, data, 1u, n);
    const EmptyNode right = fill.empty();
    const EmptyNode end = left.join({right, right, fill});
    EXPECT_THAT(definition.nodes(), ElementsAre(fill, left, right, end));
    std::vector<std::pair<GraphNode, GraphNode>> edges;
    for (const auto& [from, to, each] : definition.edges()) {
        edges.emplace_back(from, to);
        EXPECT_EQ(each.type, driver::CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
    }
    EXPECT_THAT(edges,
                UnorderedElementsAre(Pair(fill, left), Pair(fill, right), Pair(fill, end), Pair(left, end), Pair(right, end)));
    EXPECT_THAT(end.predecessors(), UnorderedElementsAre(fill, left, right));
    EXPECT_THAT(fill.successors(), UnorderedElementsAre(left, right, end));
    EXPECT_EQ(std::hash<GraphNode>()(fill), std::hash<GraphNode>()(definition.nodes()[0]));
}

TEST_F(GraphDefinitionTest, ViewsANodeByItsKind) {
    GraphDefinition definition(device);
    definition.fill(data, 5u).launch(config, add, data, 1u, n);
    const GraphNode first = definition.nodes()[0];
    EXPECT_TRUE(first.is<FillNode>());
    EXPECT_FALSE(first.is<KernelNode>());
    EXPECT_EQ(first.as<FillNode>().value(), 5u);
    EXPECT_EQ(definition.nodes()[1].as<KernelNode>().kernel(), add);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)first.as<KernelNode>(); }),
                AllOf(HasSubstr("\"fill\""), HasSubstr("\"kernel\"")));
}

TEST_F(GraphDefinitionTest, ChangesEdges) {
    GraphDefinition definition(device);
    const EmptyNode a = definition.empty();
    const EmptyNode b = definition.empty();
    const EmptyNode c = definition.empty();
    c.set_predecessors({a, b, b});
    EXPECT_THAT(c.predecessors(), UnorderedElementsAre(a, b));
    c.set_predecessors({b});
    EXPECT_THAT(c.predecessors(), ElementsAre(b));
    c.add_predecessor(b);
    c.add_predecessor(a);
    EXPECT_EQ(degrees(c), std::pair(std::size_t{2}, std::size_t{0}));
    c.remove_predecessor(a);
    c.remove_predecessor(a);
    EXPECT_THAT(c.predecessors(), ElementsAre(b));
    a.set_successors({b, c});
    EXPECT_THAT(c.predecessors(), UnorderedElementsAre(a, b));
    a.remove_successor(b);
    EXPECT_THAT(a.successors(), ElementsAre(c));
    a.add_successor(b);
    a.set_successors({});
    EXPECT_TRUE(a.successors().empty());
    EXPECT_THROW(a.set_predecessors({b, a}), std::invalid_argument);
    GraphDefinition other(device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { a.add_predecessor(other.empty()); }), HasSubstr("different graphs"));
    EXPECT_THROW(a.set_successors({other.empty()}), std::invalid_argument);
    EXPECT_THROW((void)definition.after({other.empty()}), std::invalid_argument);
}

TEST_F(GraphDefinitionTest, RemovesNodes) {
    GraphDefinition definition(device);
    const auto held = std::make_shared<int>(0);
    const HostCallbackNode node = definition.callback([held] { ++*held; });
    const Graph graph = definition.instantiate();
    definition.remove(node);
    EXPECT_TRUE(definition.nodes().empty());
    EXPECT_EQ(held.use_count(), 2) << "the executable graph retains the function";
    launch(graph);
    EXPECT_EQ(*held, 1);
    GraphDefinition other(device);
    EXPECT_THROW(definition.remove(other.empty()), std::invalid_argument);
}

TEST_F(GraphDefinitionTest, RejectsAGraphWithACycle) {
    GraphDefinition definition(device);
    const EmptyNode a = definition.empty();
    const EmptyNode b = a.empty();
    a.add_predecessor(b);
    EXPECT_THAT(message_of<Error>([&] { (void)definition.instantiate(); }), HasSubstr("cannot be instantiated"));
}

TEST_F(GraphDefinitionTest, RejectsEveryUseOfAnEmptyObject) {
    GraphDefinition empty;
    EXPECT_TRUE(empty.is_closed());
    EXPECT_NO_THROW(empty.close());
    EXPECT_EQ(empty.release(), nullptr);
    EXPECT_THROW(empty.empty(), std::invalid_argument);
    EXPECT_THROW((void)empty.nodes(), std::invalid_argument);
    EXPECT_THROW((void)empty.instantiate(), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)empty.native_handle(); }), HasSubstr("GraphDefinition"));
    EXPECT_THROW((void)GraphDefinition::from_native_handle(nullptr, device), std::invalid_argument);
}

TEST_F(GraphDefinitionTest, IsMovedWithItsNodes) {
    GraphDefinition first(device);
    const FillNode node = first.fill(data, 5u);
    GraphDefinition second = std::move(first);
    EXPECT_TRUE(first.is_closed());  // NOLINT(bugprone-use-after-move)
    node.launch(config, add, data, 1u, n);
    GraphDefinition third(device);
    third = std::move(second);
    EXPECT_EQ(third.nodes().size(), 2u);
    EXPECT_EQ(launch(third.complete()), 6u);
    third.close();
    EXPECT_TRUE(third.is_closed());
}

TEST_F(GraphDefinitionTest, OwnsAForeignGraphAndReleasesItsGraph) {
    const auto held = std::make_shared<int>(0);
    GraphDefinition definition(device);
    definition.callback([held] { ++*held; });
    const driver::CUgraph handle = definition.release();
    EXPECT_TRUE(definition.is_closed());
    {
        GraphDefinition other = GraphDefinition::from_native_handle(handle, device);
        EXPECT_EQ(other.nodes().size(), 1u);
        other.launch(config, add, data, 1u, n);
        EXPECT_EQ(launch(other.instantiate()), 1u);
    }
    EXPECT_TRUE(eventually([&] {
        device.synchronize();
        return held.use_count() == 1;
    }));
    EXPECT_EQ(*held, 1);
}

TEST_F(GraphDefinitionTest, RetainsObjectsInTheDriverOnceItsHandleIsKnown) {
    const auto early = std::make_shared<int>(0);
    const auto late = std::make_shared<int>(0);
    driver::CUgraphExec foreign = nullptr;
    {
        GraphDefinition definition(device);
        definition.callback([early] { ++*early; });
        const driver::CUgraph handle = definition.native_handle();
        definition.callback([late] { ++*late; });
        const ScopedContext scope(device.context());
        foreign = check(driver::cuGraphInstantiateWithFlags(handle, 0));
    }
    GraphRef(foreign).launch(stream);
    stream.synchronize();
    EXPECT_EQ(*early + *late, 2);
    check(driver::cuGraphExecDestroy(foreign));
    EXPECT_TRUE(eventually([&] {
        device.synchronize();
        return early.use_count() == 1 && late.use_count() == 1;
    }));
}

TEST_F(GraphDefinitionTest, IsWrittenAsADotFile) {
    const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "cubind_definition.dot";
    GraphDefinition definition(device);
    definition.empty();
    definition.debug_dot_print(path.string(), {.verbose = true});
    EXPECT_GT(std::filesystem::file_size(path), 10u);
    std::filesystem::remove(path);
    EXPECT_THROW(definition.debug_dot_print("/nonexistent/folder/graph.dot"), Error);
}

TEST_F(GraphDefinitionTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphDefinition definition(device);
                  const EmptyNode a = definition.empty();
                  const EmptyNode b = definition.empty();
                  const EmptyNode c = definition.join({a, b});
                  c.set_predecessors({b});
                  c.set_successors({a});
                  c.remove_successor(a);
                  EXPECT_EQ(definition.edges().size(), 1u);
                  EXPECT_TRUE(a.is<EmptyNode>());
                  definition.remove(a);
                  definition.callback([] {});
                  (void)definition.native_handle();
                  definition.callback([] {});
                  definition.debug_dot_print("/dev/null");
                  const Graph graph = definition.instantiate();
                  definition.close();
              }),
              25u);
}

TEST_F(GraphDefinitionTest, ReportsAFailureOfEachCallThatTransfersOwnership) {
    EXPECT_GE(sweep([&] {
                  driver::CUgraph handle = check(driver::cuGraphCreate(0));
                  try {
                      GraphDefinition definition = GraphDefinition::from_native_handle(handle, device);
                      handle = nullptr;
                      definition.callback([] {});
                      handle = definition.release();
                      definition = GraphDefinition::from_native_handle(handle, device);
                  } catch (...) {
                      if (handle != nullptr) check(driver::cuGraphDestroy(handle));
                      throw;
                  }
              }),
              8u);
}

/// A driver that has no edges with data.
class OldGraphDefinitionTest : public DefinitionTest {
protected:
    OldGraphDefinitionTest() : DefinitionTest({.release = "12.0"}) {}
};

TEST_F(OldGraphDefinitionTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphDefinition definition(device);
                  const EmptyNode a = definition.empty();
                  const EmptyNode b = a.launch(config, add, data, 1u, n).empty();
                  b.set_predecessors({});
                  b.set_successors({a});
                  EXPECT_EQ(definition.edges().size(), 2u);
                  EXPECT_EQ(definition.nodes()[1].as<KernelNode>().config(), config);
                  const Graph graph = definition.instantiate();
              }),
              15u);
    LaunchConfig overlapping = config;
    overlapping.programmatic_stream_serialization = true;
    GraphDefinition definition(device);
    const KernelNode before = definition.launch(config, add, data, 1u, n);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { before.launch(overlapping, add, data, 1u, n); }), HasSubstr("12.3"));
    EXPECT_EQ(definition.nodes().size(), 1u);
}

TEST_F(GraphDefinitionTest, IsInstantiatedForLaunchesByKernels) {
    GraphDefinition definition(device);
    definition.fill(data, 3).launch(config, add, data, 4u, n);
    const Graph graph = definition.instantiate({.device_launch = true, .upload_stream = stream});
    EXPECT_EQ(launch(graph), 7u);
    definition.callback([] {});
    EXPECT_THAT(message_of<Error>([&] { (void)definition.instantiate({.device_launch = true}); }), HasSubstr("host function"))
        << "kernels can launch only graphs of kernels, copies and fills";
}

}  // namespace
}  // namespace cubind::testing
