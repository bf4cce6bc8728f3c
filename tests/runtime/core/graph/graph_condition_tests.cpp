// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "condition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GraphConditionTest : public ConditionTest {};

TEST_F(GraphConditionTest, RunsAGraphIfTheConditionHolds) {
    for (const unsigned int value : {0u, 2u}) {
        GraphDefinition definition(device);
        const GraphCondition condition = definition.create_condition();
        const IfNode node = definition.fill(data, 1u).launch(single, set, condition, value).if_then(condition);
        node.then().launch(config, add, data, 10u, n);
        EXPECT_EQ(node.kind(), driver::CU_GRAPH_COND_TYPE_IF);
        EXPECT_EQ(node.condition(), condition);
        EXPECT_EQ(launch(definition.instantiate()), value == 0 ? 1u : 11u);
    }
}

TEST_F(GraphConditionTest, RunsOneOfTwoGraphs) {
    for (const unsigned int value : {0u, 1u}) {
        GraphDefinition definition(device);
        const IfElseNode node = definition.if_else(definition.create_condition(value));
        node.then().fill(data, 5u);
        node.otherwise().fill(data, 6u);
        EXPECT_EQ(launch(definition.instantiate()), value == 0 ? 6u : 5u);
    }
}

TEST_F(GraphConditionTest, RepeatsAGraphWhileTheConditionHolds) {
    auto left = zeros();
    GraphDefinition definition(device);
    const GraphCondition condition = definition.create_condition(1);
    const WhileNode loop = definition.fill(data, 0u).fill(left, 5).while_loop(condition);
    loop.body().launch(config, add, data, 3u, n).launch(single, count_down, condition, left);
    const Graph graph = definition.instantiate();
    EXPECT_EQ(launch(graph), 15u);
    EXPECT_EQ(launch(graph), 15u) << "each launch begins with the initial value";
    EXPECT_EQ(loop.branches().size(), 1u);
    EXPECT_EQ(loop.body().nodes().size(), 2u);
    const ConditionalNode view = definition.nodes()[2].as<ConditionalNode>();
    EXPECT_EQ(view.kind(), driver::CU_GRAPH_COND_TYPE_WHILE);
    EXPECT_EQ(view.branches()[0], loop.body());
}

TEST_F(GraphConditionTest, RunsTheGraphOfTheCase) {
    for (unsigned int value = 0; value < 4; ++value) {
        GraphDefinition definition(device);
        const SwitchNode node = definition.fill(data, 9u).switch_on(definition.create_condition(value), 3);
        for (unsigned int i = 0; i < 3; ++i) node.branch(i).fill(data, i);
        EXPECT_EQ(launch(definition.instantiate()), value < 3 ? value : 9u);
        EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)node.branch(3); }),
                    AllOf(HasSubstr("3 graphs"), HasSubstr("index 3")));
    }
}

TEST_F(GraphConditionTest, NestsConditions) {
    auto left = zeros();
    GraphDefinition definition(device);
    const GraphCondition outer = definition.create_condition(1);
    const WhileNode loop = definition.fill(left, 4).while_loop(outer);
    const GraphDefinitionRef body = loop.body();
    const GraphCondition inner = body.create_condition(1);
    body.if_then(inner).then().launch(config, add, data, 1u, n);
    body.after(body.nodes()).launch(single, count_down, outer, left);
    EXPECT_EQ(launch(definition.instantiate()), 4u);
}

TEST_F(GraphConditionTest, RetainsWhatTheGraphsWithinNodesUse) {
    GraphDefinition definition(device);
    {
        auto temporary = zeros();
        const IfNode node = definition.if_then(definition.create_condition(1));
        node.then().fill(temporary, 4u).copy(data, temporary);
    }
    const Graph graph = definition.instantiate();
    EXPECT_EQ(launch(graph), 4u);
}

TEST_F(GraphConditionTest, OutlivesItsDefinition) {
    auto left = zeros();
    GraphDefinition definition(device);
    const GraphCondition condition = definition.create_condition(1);
    definition.fill(left, 3)
        .while_loop(condition)
        .body()
        .launch(config, add, data, 1u, n)
        .launch(single, count_down, condition, left);
    const Graph graph = definition.instantiate();
    definition.close();
    EXPECT_EQ(launch(graph), 3u);
}

TEST_F(GraphConditionTest, RejectsMisuse) {
    GraphDefinition definition(device);
    GraphDefinition other(device);
    const GraphCondition condition = definition.create_condition(1);
    EXPECT_THAT(message_of<Error>([&] { other.if_then(condition); }), HasSubstr("belongs to the graph"));
    EXPECT_TRUE(other.nodes().empty());
    EXPECT_THROW(definition.switch_on(condition, 0), std::invalid_argument);
    EXPECT_THAT(message_of<Error>([&] { (void)definition.instantiate(); }), HasSubstr("cannot be instantiated"));
    const IfNode node = definition.if_then(condition);
    node.then().callback([] {});
    EXPECT_THROW((void)definition.instantiate(), Error) << "a conditional graph cannot call host functions";
    EXPECT_THROW((void)definition.clone(), Error);
    EXPECT_THROW((void)GraphDefinition().create_condition(), std::invalid_argument);
}

TEST_F(GraphConditionTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphDefinition definition(device);
                  const GraphCondition condition = definition.create_condition(1);
                  const WhileNode loop = definition.while_loop(condition);
                  loop.body().launch(single, set, condition, 0u);
                  const Graph graph = definition.instantiate();
              }),
              8u);
    GraphDefinition definition(device);
    definition.if_then(definition.create_condition(1));
    const driver::CUgraph handle = definition.release();
    const GraphDefinition foreign = GraphDefinition::from_native_handle(handle, device);
    EXPECT_GE(sweep([&] { EXPECT_EQ(foreign.nodes()[0].as<ConditionalNode>().branches().size(), 1u); }), 3u);
}

class OldGraphConditionTest : public CoreTest {
protected:
    OldGraphConditionTest() : CoreTest({.release = "12.0"}) {}
};
class GraphConditionOn124Test : public CoreTest {
protected:
    GraphConditionOn124Test() : CoreTest({.release = "12.4"}) {}
};

TEST_F(OldGraphConditionTest, NamesTheRelease) {
    const GraphDefinition definition{Device()};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)definition.create_condition(); }),
                AllOf(HasSubstr("12.3"), HasSubstr("12.0")));
}

TEST_F(GraphConditionOn124Test, NamesTheRelease) {
    const GraphDefinition definition{Device()};
    const GraphCondition condition = definition.create_condition(1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.if_else(condition); }),
                AllOf(HasSubstr("if_else"), HasSubstr("12.8"), HasSubstr("12.4")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.switch_on(condition, 2); }), HasSubstr("12.8"));
    definition.while_loop(condition).body().empty();
    EXPECT_EQ(definition.nodes()[0].as<ConditionalNode>().condition(), condition);
}

}  // namespace
}  // namespace cubind::testing
