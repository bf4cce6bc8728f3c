// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Changes of single nodes of definitions and executable graphs, and of whole graphs.

#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/stream.hpp>

#include <optional>

#include "definition_test.hpp"
#include "gate.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphUpdateTest : public DefinitionTest {
protected:
    TypedBuffer<unsigned int> other = zeros();
};

// ---- nodes of executable graphs -------------------------------------------------------------------------------------------

TEST_F(GraphUpdateTest, ReplacesParametersOfExecutableNodes) {
    GraphDefinition definition(device);
    std::vector<unsigned int> numbers(n, 100);
    unsigned int result = 0;
    int calls = 0;
    const FillNode fill = definition.fill(data, 1u);
    const KernelNode kernel = fill.launch(config, add, data, 1u, n);
    const CopyNode copy = kernel.copy(result, data.first(1));
    const HostCallbackNode call = copy.callback([&] { ++calls; });
    const Graph graph = definition.instantiate();
    launch(graph);
    EXPECT_EQ(result, 2u);
    graph[fill].update(data, 10);
    graph[kernel].update({.grid = 1, .block = 1}, add, data, 5u, n);
    graph[call].update([&] { calls += 10; });
    launch(graph);
    EXPECT_EQ(result, 15u);
    EXPECT_EQ(calls, 11);
    unsigned int second = 0;
    graph[copy].update(second, data.last(1));
    launch(graph);
    EXPECT_EQ(second, 10u) << "the launch has one thread";
    const KernelFunction<void(unsigned int*, unsigned int, unsigned int)> function(add, device);
    graph[kernel].update(config, function, data, 7, n);
    launch(graph);
    EXPECT_EQ(second, 17u);
    EXPECT_EQ(launch(definition.instantiate()), 2u) << "the definition is unchanged";
}

TEST_F(GraphUpdateTest, DisablesAndEnablesNodes) {
    GraphDefinition definition(device);
    const FillNode fill = definition.fill(data, 1u);
    const KernelNode kernel = fill.launch(config, add, data, 1u, n);
    const CopyNode copy = kernel.copy(other, data);
    const Graph graph = definition.instantiate();
    EXPECT_TRUE(graph[kernel].is_enabled());
    EXPECT_EQ(launch(graph), 2u);
    graph[fill].disable();
    graph[copy].disable();
    EXPECT_FALSE(graph[fill].is_enabled());
    EXPECT_EQ(launch(graph), 3u);
    graph[kernel].disable();
    EXPECT_EQ(launch(graph), 3u);
    graph[fill].enable();
    EXPECT_EQ(launch(graph), 1u);
    EXPECT_TRUE(graph[fill].is_enabled());
    GraphDefinition foreign(device);
    EXPECT_THAT(message_of<Error>([&] { graph[foreign.fill(data, 1u)].disable(); }), HasSubstr("definition"));
}

TEST_F(GraphUpdateTest, ReplacesEventsAndChildGraphs) {
    const Event first_event(device);
    const Event second_event(device);
    GraphDefinition inner(device);
    inner.launch(config, add, data, 1u, n);
    GraphDefinition definition(device);
    const EventWaitNode wait = definition.wait(first_event);
    const ChildGraphNode child = wait.embed(inner);
    const EventRecordNode record = child.record(first_event);
    const Graph graph = definition.instantiate();
    launch(graph);
    graph[wait].update(second_event);
    graph[record].update(second_event);
    GraphDefinition next(device);
    next.launch(config, add, data, 10u, n);
    graph[child].update(next);
    next.close();
    const Stream producer(device);
    {
        Gate gate(producer);
        producer.record(second_event);
        graph.launch(stream);
        EXPECT_FALSE(stream.is_done());
    }
    EXPECT_EQ(this->first(), 11u);
    EXPECT_TRUE(second_event.is_done());
    GraphDefinition larger(device);
    larger.empty().empty();
    EXPECT_THAT(message_of<Error>([&] { graph[child].update(larger); }), HasSubstr("same nodes"));
    EXPECT_THROW(graph[child].update(GraphDefinition()), std::invalid_argument);
    EXPECT_THROW(graph[wait].update(Event()), std::invalid_argument);
}

TEST_F(GraphUpdateTest, ChecksParametersOfExecutableNodes) {
    GraphDefinition definition(device);
    const KernelNode kernel = definition.launch({.grid = 2, .block = n, .cluster = 2, .priority = -1}, code.kernel("empty"));
    const CopyNode copy = definition.copy(other, data);
    const FillNode fill = definition.fill(data, 1u);
    const Graph graph = definition.instantiate();
    graph[kernel].update({.grid = 4, .block = n, .cluster = 2, .priority = -1}, code.kernel("empty"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { graph[kernel].update({.grid = 4, .block = n}, code.kernel("empty")); }),
                AllOf(HasSubstr("attributes"), HasSubstr("definition")));
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { graph[kernel].update({.grid = 4, .block = n, .cluster = 2, .priority = -1}, add, data); }),
                HasSubstr("3 parameters"));
    EXPECT_THAT(message_of<Error>(
                    [&] { graph[kernel].update({.grid = 3, .block = n, .cluster = 2, .priority = -1}, code.kernel("empty")); }),
                HasSubstr("not a multiple of the cluster"));
    EXPECT_THROW(graph[copy].update(other.first(1), data), std::invalid_argument);
    EXPECT_THROW(graph[fill].update(data.first(0), 1), std::invalid_argument);
    const std::span<unsigned int> beyond(reinterpret_cast<unsigned int*>(data.native_handle()), 1 << 20);
    EXPECT_THAT(message_of<Error>([&] { graph[fill].update(beyond, 1); }), HasSubstr("4194304 bytes"));
    const GraphRef foreign = graph.native_handle();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { foreign[fill].update(data, 2); }), HasSubstr("from_native_handle"));
    EXPECT_THROW(Graph()[fill].update(data, 2), std::invalid_argument);
    launch(graph);
    EXPECT_EQ(first(), 1u);
}

// ---- objects --------------------------------------------------------------------------------------------------------------

TEST_F(GraphUpdateTest, ReleasesReplacedObjectsAfterTheLaunchesBefore) {
    const auto before = std::make_shared<int>(0);
    const auto next = std::make_shared<int>(0);
    GraphDefinition definition(device);
    const HostCallbackNode call = definition.callback([before] { ++*before; });
    const Graph graph = definition.instantiate();
    call.update([] {});
    EXPECT_EQ(before.use_count(), 2) << "of the executable graph";
    const auto run = [&](StreamRef on) {
        Gate gate(on);
        graph.launch(on);
        graph[call].update([next] { ++*next; });
        graph[call].update([next] { ++*next; });
        EXPECT_EQ(before.use_count(), 2) << "the launch has not started";
        graph.launch(on);
    };
    run(stream);
    stream.synchronize();
    EXPECT_EQ(before.use_count(), 1);
    EXPECT_EQ(next.use_count(), 2);
    EXPECT_EQ(*before, 1);
    EXPECT_EQ(*next, 1);
}

TEST_F(GraphUpdateTest, ReleasesReplacedObjectsAfterLaunchesOnForeignStreams) {
    const ScopedContext scope(device.context());
    const StreamRef foreign = StreamRef::legacy_default();
    std::vector<std::weak_ptr<int>> functions;
    GraphDefinition definition(device);
    const HostCallbackNode call = definition.callback([] {});
    const Graph graph = definition.instantiate();
    Gate gate(foreign);
    for (int i = 0; i < 4; ++i) {
        const auto held = std::make_shared<int>(i);
        functions.push_back(held);
        graph[call].update([held] {});
        graph.launch(foreign);
    }
    graph[call].update([] {});
    for (const auto& each : functions) EXPECT_FALSE(each.expired());
    gate.open();
    foreign.synchronize();
    for (const auto& each : functions) EXPECT_TRUE(each.expired());
}

TEST_F(GraphUpdateTest, RetainsTheBuffersOfNewParameters) {
    GraphDefinition definition(device);
    const CopyNode copy = definition.copy(data, other);
    const Graph graph = definition.instantiate();
    {
        auto temporary = zeros();
        cubind::fill(stream, temporary, 9);
        graph[copy].update(data, temporary);
    }
    EXPECT_EQ(launch(graph), 9u);
    definition.close();
    EXPECT_EQ(launch(graph), 9u);
}

// ---- nodes of definitions -------------------------------------------------------------------------------------------------

TEST_F(GraphUpdateTest, ReplacesParametersOfDefinitions) {
    GraphDefinition definition(device);
    const Event event(device);
    const Event next(device);
    const FillNode fill = definition.fill(data, 1u);
    const KernelNode kernel = fill.launch({.grid = 2, .block = n, .cluster = 2, .priority = -1}, code.kernel("empty"));
    const CopyNode copy = kernel.copy(data, other);
    const EventRecordNode record = copy.record(event);
    const EventWaitNode wait = copy.wait(event);
    const Graph before = definition.instantiate();
    fill.update(data, 3);
    const LaunchConfig other_config{.grid = 3, .block = n, .cluster = {3, 1}, .cooperative = true};
    kernel.update(other_config, code.kernel("empty"));
    EXPECT_EQ(kernel.config(), other_config);
    kernel.update(config, add, data, 4u, n);
    EXPECT_EQ(kernel.config(), config);
    EXPECT_EQ(kernel.kernel(), add);
    auto result = zeros();
    copy.update(result, data);
    record.update(next);
    wait.update(next);
    EXPECT_EQ(record.event(), next);
    EXPECT_EQ(wait.event(), next);
    EXPECT_EQ(launch(definition.instantiate()), 7u);
    EXPECT_EQ(copy.destination(), result.native_handle());
    EXPECT_EQ(launch(before), 0u) << "executable graphs are unchanged";
    EXPECT_THROW(kernel.update({.grid = 3, .block = n, .cluster = 2}, code.kernel("empty")), Error);
    EXPECT_THROW(copy.update(result.first(1), data), std::invalid_argument);
    EXPECT_EQ(kernel.config(), config);
    before.update(definition);
    EXPECT_EQ(launch(before), 7u);
}

TEST_F(GraphUpdateTest, NamesTheNodeThatDiffers) {
    GraphDefinition definition(device);
    definition.fill(data, 1u).launch(config, add, data, 1u, n);
    const Graph graph = definition.instantiate();
    GraphDefinition different(device);
    different.fill(data, 1u).fill(data, 2u);
    EXPECT_THAT(message_of<Error>([&] { graph.update(different); }),
                AllOf(HasSubstr("NODE_TYPE_CHANGED"), HasSubstr("node 1"), HasSubstr("\"fill\"")));
    GraphDefinition unordered(device);
    unordered.fill(data, 1u);
    unordered.launch(config, add, data, 1u, n);
    EXPECT_THAT(message_of<Error>([&] { graph.update(unordered); }),
                AllOf(HasSubstr("TOPOLOGY_CHANGED"), HasSubstr("node 1"), HasSubstr("kernel \"add\"")));
    EXPECT_EQ(launch(graph), 2u);
    EXPECT_THROW(graph.update(GraphDefinition()), std::invalid_argument);
}

TEST_F(GraphUpdateTest, UpdatesAForeignGraph) {
    GraphDefinition definition(device);
    definition.fill(data, 1u);
    driver::CUgraphExec foreign = nullptr;
    {
        const ScopedContext scope(device.context());
        foreign = check(driver::cuGraphInstantiateWithFlags(definition.native_handle(), 0));
    }
    GraphDefinition next(device);
    next.fill(data, 5u);
    GraphRef(foreign).update(next);
    GraphRef(foreign).launch(stream);
    EXPECT_EQ(first(), 5u);
    check(driver::cuGraphExecDestroy(foreign));
}

// ---- clones ---------------------------------------------------------------------------------------------------------------

TEST_F(GraphUpdateTest, ClonesDefinitionsWithTheirObjects) {
    std::optional<GraphDefinition> clone;
    const auto held = std::make_shared<int>(0);
    {
        GraphDefinition inner(device);
        inner.callback([held] { ++*held; });
        GraphDefinition definition(device);
        auto temporary = zeros();
        const FillNode fill = definition.fill(temporary, 4u);
        const ChildGraphNode child = fill.copy(data, temporary).embed(inner);
        child.child_graph().callback([held] { *held += 10; });
        clone = definition.clone();
        const FillNode counterpart = clone->counterpart(fill);
        EXPECT_NE(GraphNode(counterpart), fill);
        counterpart.update(temporary, 5);
        EXPECT_EQ(fill.value(), 4u);
        EXPECT_EQ(clone->counterpart<GraphNode>(child).type(), driver::CU_GRAPH_NODE_TYPE_GRAPH);
        EXPECT_THAT(message_of<Error>([&] { (void)definition.counterpart(fill); }), HasSubstr("not a clone"));
    }
    EXPECT_EQ(launch(clone->instantiate()), 5u);
    EXPECT_EQ(*held, 11);
    clone.reset();
    stream.synchronize();
    EXPECT_EQ(held.use_count(), 1);
    GraphDefinition allocating(device);
    allocating.allocate(64);
    EXPECT_THAT(message_of<Error>([&] { (void)allocating.clone(); }), HasSubstr("does not clone"));
}

TEST_F(GraphUpdateTest, ReportsAFailureOfEachCall) {
    const std::vector<std::string> tolerated = {"cuStreamIsCapturing", "cuStreamQuery", "cuEventQuery"};
    const Event event(device);
    const LaunchConfig clusters{.grid = 4, .block = n, .cluster = 2};
    EXPECT_GE(sweep(
                  [&] {
                      GraphDefinition inner(device);
                      inner.callback([] {});
                      GraphDefinition definition(device);
                      const KernelNode kernel = definition.launch(clusters, code.kernel("empty"));
                      const CopyNode copy = kernel.copy(other, data);
                      const FillNode fill = copy.fill(data, 1u);
                      const HostCallbackNode call = fill.callback([] {});
                      const EventRecordNode record = call.record(event);
                      const EventWaitNode wait = record.wait(event);
                      const ChildGraphNode child = wait.embed(inner);
                      const Graph graph = definition.instantiate();
                      graph[kernel].update(clusters, code.kernel("empty"));
                      graph[copy].update(data, other);
                      graph[fill].update(other, 2);
                      graph[call].update([] {});
                      graph[record].update(event);
                      graph[wait].update(event);
                      graph[child].update(inner);
                      graph[fill].disable();
                      EXPECT_FALSE(graph[fill].is_enabled());
                      kernel.update(clusters, code.kernel("empty"));
                      copy.update(data, other);
                      fill.update(other, 2);
                      call.update([] {});
                      record.update(event);
                      wait.update(event);
                      const GraphDefinition clone = definition.clone();
                      EXPECT_EQ(clone.counterpart(fill).value(), 2u);
                      graph.update(clone);
                  },
                  tolerated),
              60u);
}

TEST_F(GraphUpdateTest, NamesTheKindOfTheNodeThatDiffers) {
    GraphDefinition filling(device);
    (void)filling.fill(data, 1u);
    Graph graph = filling.instantiate();
    const Event event(device);
    const auto problem = [&](const auto& add) {
        GraphDefinition changed(device);
        add(changed);
        return message_of<Error>([&] { graph.update(changed); });
    };
    EXPECT_THAT(problem([&](auto& changed) { (void)changed.copy(other, data); }), HasSubstr("node 0, of kind \"copy\""));
    EXPECT_THAT(problem([&](auto& changed) { (void)changed.embed(filling); }), HasSubstr("of kind \"child graph\""));
    EXPECT_THAT(problem([&](auto& changed) { (void)changed.record(event); }), HasSubstr("of kind \"event record\""));
    EXPECT_THAT(problem([&](auto& changed) { (void)changed.wait(event); }), HasSubstr("of kind \"event wait\""));
    EXPECT_THAT(problem([&](auto& changed) { (void)changed.callback([] {}); }), HasSubstr("of kind \"host function\""));
}

}  // namespace
}  // namespace cubind::testing
