// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/driver/graph.hpp>

#include <memory>

#include "condition_test.hpp"

namespace cubind::testing {
namespace {

class CapturedDefinitionTest : public ConditionTest {
protected:
    /// Captures a fill of `data` with 1, and a launch that adds `value`.
    GraphBuilder captured(unsigned int value = 2) {
        GraphBuilder builder(device);
        builder.begin_building();
        fill(builder, data, 1u);
        cubind::launch(builder, config, add, data, value, n);
        builder.end_building();
        return builder;
    }
};

TEST_F(CapturedDefinitionTest, ReadsTheCapturedNodes) {
    const GraphBuilder builder = captured();
    const GraphDefinitionRef definition = builder.graph_definition();
    ASSERT_EQ(definition.nodes().size(), 2u);
    EXPECT_EQ(definition.edges().size(), 1u);
    EXPECT_EQ(definition.nodes()[0].as<FillNode>().value(), 1u);
    EXPECT_EQ(definition.nodes()[1].as<KernelNode>().config(), config);
    EXPECT_EQ(definition, builder.graph_definition());
    EXPECT_EQ(definition.native_handle(), builder.native_handle());
}

TEST_F(CapturedDefinitionTest, ChangesTheGraphOfTheBuilder) {
    const GraphBuilder builder = captured();
    const Graph before = builder.complete();
    const GraphDefinitionRef definition = builder.graph_definition();
    definition.nodes()[0].as<FillNode>().update(data, 10u);
    definition.nodes()[1].launch(config, add, data, 100u, n);
    EXPECT_EQ(launch(builder.complete()), 112u);
    EXPECT_EQ(launch(before), 3u);
    definition.remove(definition.nodes()[2]);
    EXPECT_EQ(launch(builder.complete()), 12u);
}

TEST_F(CapturedDefinitionTest, SelectsNodesOfExecutableGraphs) {
    const GraphBuilder builder = captured();
    const Graph graph = builder.complete();
    const auto nodes = builder.graph_definition().nodes();
    graph[nodes[1].as<KernelNode>()].update(config, add, data, 20u, n);
    EXPECT_EQ(launch(graph), 21u);
}

TEST_F(CapturedDefinitionTest, RetainsWhatBothKindsOfNodesUse) {
    for (const bool is_driver_retaining : {false, true}) {
        GraphBuilder builder(device);
        const GraphDefinition outer(device);
        {
            auto captured = zeros();
            auto added = zeros();
            builder.begin_building();
            fill(builder, captured, 3u);
            copy(builder, data, captured);
            builder.end_building();
            if (is_driver_retaining) (void)builder.native_handle();
            const GraphDefinitionRef definition = builder.graph_definition();
            const GraphNode last = definition.nodes()[1];
            last.copy(added, data).launch(config, add, added, 4u, n).copy(data, added);
            outer.embed(builder);
        }
        const Graph graph = builder.complete();
        const Graph updated = captured().complete();
        EXPECT_THROW(updated.update(builder), Error);
        const Graph copied = builder.complete();
        copied.update(builder);
        builder.close();
        EXPECT_EQ(launch(graph), 7u);
        EXPECT_EQ(launch(copied), 7u);
        EXPECT_EQ(launch(outer.instantiate()), 7u);
    }
}

TEST_F(CapturedDefinitionTest, DescribesConditionalNodes) {
    GraphBuilder builder(device);
    builder.begin_building();
    const GraphCondition condition = builder.create_condition(1);
    GraphBuilder body = builder.if_then(condition);
    body.begin_building();
    fill(body, data, 5u);
    body.end_building();
    builder.end_building();
    const ConditionalNode node = builder.graph_definition().nodes()[0].as<ConditionalNode>();
    EXPECT_EQ(node.condition(), condition);
    ASSERT_EQ(node.branches().size(), 1u);
    const GraphNode within = node.branches()[0].nodes()[0];
    EXPECT_EQ(within.as<FillNode>().value(), 5u);
    within.launch(config, add, data, 6u, n);
    EXPECT_EQ(launch(builder.complete()), 11u);
}

TEST_F(CapturedDefinitionTest, RequiresACapturedGraph) {
    GraphBuilder builder(device);
    EXPECT_THROW((void)builder.graph_definition(), std::invalid_argument);
    builder.begin_building();
    EXPECT_THROW((void)builder.graph_definition(), std::invalid_argument);
}

TEST_F(CapturedDefinitionTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  const GraphBuilder builder = captured();
                  builder.graph_definition().nodes()[1].launch(config, add, data, 1u, n);
                  const Graph graph = builder.complete();
                  (void)builder.native_handle();
              }),
              15u);
}

}  // namespace
}  // namespace cubind::testing
