// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/interop/external_semaphore_node.hpp>
#include <cubind/layers/leaks.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "definition_test.hpp"
#include "gate.hpp"
#include "shared_semaphore.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ExternalSemaphoreNodeTest : public DefinitionTest {
protected:
    using Kind = ExternalSemaphoreKind;
    using Operation = ExternalSemaphoreOperation;

    /// Launches the graph twice while the first launch waits, destroys it, and expects that the semaphores exist until both
    /// launches are done. `owners` are their owners, which are destroyed, too.
    void expect_retained_by_launches(Graph graph, std::vector<ExternalSemaphore> owners) {
        const auto imported = [this] {
            return layers::leaks::report(before).find("cuImportExternalSemaphore") != std::string::npos;
        };
        Gate gate(stream);
        graph.launch(stream);
        graph.launch(stream);
        owners.clear();
        graph.close();
        detail::destroy_ready_objects();
        EXPECT_TRUE(imported()) << "the launches use the semaphores";
        gate.open();
        stream.synchronize();
        destroy_deferred_objects();
        EXPECT_FALSE(imported()) << layers::leaks::report(before);
    }

    const SharedSemaphore timeline{device, Kind::timeline};
    const SharedSemaphore binary{device, Kind::binary};
    GraphDefinition definition{device};
    layers::leaks::Checkpoint before{};
};

TEST_F(ExternalSemaphoreNodeTest, SignalsAndWaitsInOrder) {
    definition.wait_semaphores({{timeline.semaphore, 1}, {binary.semaphore}})
        .launch(config, add, data, 3u, n)
        .signal_semaphores({{timeline.semaphore, 2}, {binary.semaphore}});
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    timeline.set(1);
    EXPECT_FALSE(stream.is_done()) << "the binary semaphore is not signaled";
    binary.set(1);
    EXPECT_EQ(first(), 3u);
    EXPECT_EQ(timeline.value(), 2u);
    EXPECT_EQ(binary.value(), 1u) << "consumed, and signaled again";
}

TEST_F(ExternalSemaphoreNodeTest, ReturnsItsOperations) {
    const std::vector<Operation> operations{{timeline.semaphore, 7}, {binary.semaphore}};
    const GraphNode signal = definition.signal_semaphores(operations);
    const GraphNode wait = signal.wait_semaphores(operations);
    ASSERT_TRUE(signal.is<ExternalSemaphoreSignalNode>());
    ASSERT_TRUE(wait.is<ExternalSemaphoreWaitNode>());
    for (const auto& found :
         {signal.as<ExternalSemaphoreSignalNode>().operations(), wait.as<ExternalSemaphoreWaitNode>().operations()}) {
        ASSERT_THAT(found, SizeIs(2));
        EXPECT_EQ(found[0].semaphore, timeline.semaphore);
        EXPECT_EQ(found[0].semaphore.kind(), Kind::timeline);
        EXPECT_EQ(found[0].value, 7u);
        EXPECT_EQ(found[1].semaphore, binary.semaphore);
        EXPECT_EQ(found[1].semaphore.kind(), Kind::binary);
        EXPECT_EQ(found[1].value, std::nullopt);
        EXPECT_FALSE(found[0].skip_memory_synchronization);
    }
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)wait.as<ExternalSemaphoreSignalNode>(); }),
                AllOf(HasSubstr("\"semaphore wait\""), HasSubstr("\"semaphore signal\"")));
}

TEST_F(ExternalSemaphoreNodeTest, ReturnsOperationsWithoutKindsForForeignSemaphores) {
    const ExternalSemaphoreRef foreign = timeline.semaphore.native_handle();
    const auto found = definition.wait_semaphores({{foreign, 4}}).operations();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].semaphore, foreign);
    EXPECT_EQ(found[0].semaphore.kind(), std::nullopt);
    EXPECT_EQ(found[0].value, 4u);
}

TEST_F(ExternalSemaphoreNodeTest, ChangesInTheDefinition) {
    const auto wait = definition.wait_semaphores({{timeline.semaphore, 9}});
    const auto signal = wait.signal_semaphores({{timeline.semaphore, 10}});
    auto changed = signal.operations();
    changed[0].value = 3;
    changed.push_back({binary.semaphore});
    signal.update(changed);
    wait.update({{timeline.semaphore, 0}});
    definition.instantiate().launch(stream);
    stream.synchronize();
    EXPECT_EQ(timeline.value(), 3u);
    EXPECT_EQ(binary.value(), 1u);
    EXPECT_THAT(signal.operations(), SizeIs(2));
}

TEST_F(ExternalSemaphoreNodeTest, ChangesInAnExecutableGraph) {
    const auto wait = definition.wait_semaphores({{timeline.semaphore, 0}});
    const auto signal = wait.signal_semaphores({{timeline.semaphore, 1}});
    const Graph graph = definition.instantiate();
    for (std::uint64_t frame = 1; frame <= 3; ++frame) {
        graph[wait].update({{timeline.semaphore, frame - 1}});
        graph[signal].update({{timeline.semaphore, frame}});
        graph.launch(stream);
    }
    stream.synchronize();
    EXPECT_EQ(timeline.value(), 3u);
    EXPECT_EQ(signal.operations()[0].value, 1u) << "the definition is unchanged";
    EXPECT_THAT(message_of<Error>([&] {
                    graph[signal].update({{timeline.semaphore, 5}, {binary.semaphore}});
                }),
                AllOf(HasSubstr("cuGraphExecExternalSemaphoresSignalNodeSetParams"), HasSubstr("value 5"),
                      HasSubstr("number must remain")));
    EXPECT_THAT(message_of<Error>([&] {
                    graph[wait].update({{timeline.semaphore, 5}, {binary.semaphore}});
                }),
                HasSubstr("cuGraphExecExternalSemaphoresWaitNodeSetParams"));
    signal.update({{timeline.semaphore, 6}});
    graph.update(definition);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(timeline.value(), 6u);
}

TEST_F(ExternalSemaphoreNodeTest, IsRetainedUntilTheLastLaunchIsDone) {
    layers::leaks::start();
    before = layers::leaks::checkpoint();
    const auto make = [] { return std::vector<ExternalSemaphore>(1); };
    {  // added
        auto owners = make();
        owners[0] = ExternalSemaphore(device, timeline.file.descriptor(), Kind::timeline);
        GraphDefinition each(device);
        each.wait_semaphores({{owners[0], 0}}).signal_semaphores({{owners[0], 5}});
        Graph graph = each.instantiate();
        each.close();
        expect_retained_by_launches(std::move(graph), std::move(owners));
    }
    {  // cloned
        auto owners = make();
        owners[0] = ExternalSemaphore(device, timeline.file.descriptor(), Kind::timeline);
        std::optional<GraphDefinition> each(device);
        const auto node = each->signal_semaphores({{owners[0], 6}});
        GraphDefinition clone = each->clone();
        EXPECT_EQ(clone.counterpart(node).operations()[0].semaphore.kind(), Kind::timeline);
        each.reset();
        Graph graph = clone.instantiate();
        clone.close();
        expect_retained_by_launches(std::move(graph), std::move(owners));
    }
    {  // updated, in the executable graph
        auto owners = make();
        GraphDefinition each(device);
        const auto node = each.signal_semaphores({{timeline.semaphore, 7}});
        Graph graph = each.instantiate();
        owners[0] = ExternalSemaphore(device, timeline.file.descriptor(), Kind::timeline);
        graph[node].update({{owners[0], 8}});
        expect_retained_by_launches(std::move(graph), std::move(owners));
    }
    {  // captured
        auto owners = make();
        owners[0] = ExternalSemaphore(device, timeline.file.descriptor(), Kind::timeline);
        GraphBuilder builder(device);
        builder.begin_building();
        owners[0].signal(builder.stream(), 9);
        builder.end_building();
        Graph graph = builder.complete();
        builder.close();
        expect_retained_by_launches(std::move(graph), std::move(owners));
    }
    EXPECT_EQ(timeline.value(), 9u);
}

TEST_F(ExternalSemaphoreNodeTest, IsReleasedWhenTheNodeIsUpdatedOrRemoved) {
    layers::leaks::start();
    before = layers::leaks::checkpoint();
    auto add = [this](std::uint64_t value) {
        const ExternalSemaphore other(device, timeline.file.descriptor(), Kind::timeline);
        return definition.signal_semaphores({{other, value}});
    };
    const auto updated = add(1), removed = add(2);
    EXPECT_EQ(updated.operations()[0].semaphore.kind(), Kind::timeline) << "the definition retains it";
    EXPECT_NE(layers::leaks::report(before), "");
    updated.update({{timeline.semaphore, 3}});
    definition.remove(removed);
    definition.remove(updated);
    EXPECT_EQ(layers::leaks::report(before), "");
}

TEST_F(ExternalSemaphoreNodeTest, IsCaptured) {
    GraphBuilder builder(device);
    builder.begin_building();
    wait_semaphores(builder.stream(), {{timeline.semaphore, 2}, {binary.semaphore}});
    cubind::launch(builder, config, add, data, 4u, n);
    timeline.semaphore.signal(builder.stream(), 3);
    builder.end_building();
    const auto nodes = builder.graph_definition().nodes();
    ASSERT_THAT(nodes, SizeIs(3));
    EXPECT_THAT(nodes[0].as<ExternalSemaphoreWaitNode>().operations(), SizeIs(2));
    const auto signal = nodes[2].as<ExternalSemaphoreSignalNode>();
    EXPECT_EQ(signal.operations()[0].value, 3u);
    const Graph graph = builder.complete();
    EXPECT_EQ(timeline.value(), 0u);
    timeline.set(2);
    binary.set(1);
    EXPECT_EQ(DefinitionTest::launch(graph), 4u);
    EXPECT_EQ(timeline.value(), 3u);
    graph[signal].update({{timeline.semaphore, 8}});
    binary.set(1);
    EXPECT_EQ(DefinitionTest::launch(graph), 8u);
    EXPECT_EQ(timeline.value(), 8u);
}

TEST_F(ExternalSemaphoreNodeTest, RejectsWrongOperations) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.signal_semaphores({}); }), HasSubstr("at least 1 signal"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.wait_semaphores({}); }), HasSubstr("at least 1 wait"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    definition.signal_semaphores({{timeline.semaphore, 0}});
                }),
                HasSubstr("value 0"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    definition.wait_semaphores({{binary.semaphore, 4}});
                }),
                AllOf(HasSubstr("binary"), HasSubstr("value 4")));
    EXPECT_THROW(definition.signal_semaphores({{ExternalSemaphoreRef(ExternalSemaphore()), 1}}), std::invalid_argument);
    EXPECT_THROW(GraphDefinition().wait_semaphores({{timeline.semaphore, 1}}), std::invalid_argument);
    EXPECT_TRUE(definition.nodes().empty());
    const auto signal = definition.signal_semaphores({{timeline.semaphore, 1}});
    EXPECT_THROW(signal.update({{timeline.semaphore}}), std::invalid_argument);
    EXPECT_EQ(signal.operations()[0].value, 1u) << "the node is unchanged";
    ExternalSemaphore other(device, timeline.file.descriptor(), Kind::timeline);
    const ExternalSemaphoreRef foreign = other.native_handle();
    other.close();
    EXPECT_THAT(message_of<Error>([&] {
                    definition.wait_semaphores({{foreign, 12}});
                }),
                AllOf(HasSubstr("cuGraphAddExternalSemaphoresWaitNode"), HasSubstr("value 12")));
    EXPECT_THAT(definition.nodes(), SizeIs(1));
}

TEST_F(ExternalSemaphoreNodeTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphDefinition each(device);
                  const auto signal = each.signal_semaphores({{timeline.semaphore, 1}});
                  const auto wait = signal.wait_semaphores({{timeline.semaphore, 1}});
                  signal.update({{timeline.semaphore, 2}});
                  wait.update({{timeline.semaphore, 2}});
                  const Graph graph = each.instantiate();
                  graph[signal].update({{timeline.semaphore, 3}});
                  graph[wait].update({{timeline.semaphore, 3}});
                  (void)signal.operations();
                  (void)wait.operations();
              }),
              10u);
}

}  // namespace
}  // namespace cubind::testing
