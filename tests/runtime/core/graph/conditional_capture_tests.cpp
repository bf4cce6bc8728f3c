// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>

#include <memory>

#include "condition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ConditionalCaptureTest : public ConditionTest {
protected:
    /// Captures a fill of `data`.
    void capture_fill(GraphBuilder& builder, unsigned int value) {
        builder.begin_building();
        fill(builder, data, value);
        builder.end_building();
    }
};

TEST_F(ConditionalCaptureTest, RunsAGraphIfTheConditionHolds) {
    for (const unsigned int value : {0u, 2u}) {
        GraphBuilder builder(device);
        builder.begin_building();
        const GraphCondition condition = builder.create_condition();
        fill(builder, data, 1u);
        cubind::launch(builder, single, set, condition, value);
        GraphBuilder body = builder.if_then(condition);
        body.begin_building();
        cubind::launch(body, config, add, data, 10u, n);
        body.end_building();
        cubind::launch(builder, config, add, data, 100u, n);
        builder.end_building();
        EXPECT_EQ(launch(builder.complete()), value == 0 ? 101u : 111u) << "later work runs after the node";
    }
}

TEST_F(ConditionalCaptureTest, RunsOneOfTwoGraphs) {
    for (const unsigned int value : {0u, 1u}) {
        GraphBuilder builder(device);
        builder.begin_building();
        auto [then, otherwise] = builder.if_else(builder.create_condition(value));
        capture_fill(then, 5);
        capture_fill(otherwise, 6);
        builder.end_building();
        EXPECT_EQ(launch(builder.complete()), value == 0 ? 6u : 5u);
    }
}

TEST_F(ConditionalCaptureTest, RepeatsAGraphWhileTheConditionHolds) {
    auto left = zeros();
    GraphBuilder builder(device);
    builder.begin_building();
    const GraphCondition condition = builder.create_condition(1);
    fill(builder, data, 0u);
    fill(builder, left, 5);
    GraphBuilder body = builder.while_loop(condition);
    body.begin_building(CaptureMode::global);
    cubind::launch(body, config, add, data, 3u, n);
    cubind::launch(body, single, count_down, condition, left);
    body.end_building();
    builder.end_building();
    const Graph graph = builder.complete();
    EXPECT_EQ(launch(graph), 15u);
    EXPECT_EQ(launch(graph), 15u);
}

TEST_F(ConditionalCaptureTest, RunsTheGraphOfTheCase) {
    for (unsigned int value = 0; value < 4; ++value) {
        GraphBuilder builder(device);
        builder.begin_building();
        fill(builder, data, 9u);
        auto bodies = builder.switch_on(builder.create_condition(value), 3);
        ASSERT_EQ(bodies.size(), 3u);
        for (unsigned int i = 0; i < 3; ++i) capture_fill(bodies[i], i);
        builder.end_building();
        EXPECT_EQ(launch(builder.complete()), value < 3 ? value : 9u);
    }
}

TEST_F(ConditionalCaptureTest, NestsConditionsAndForks) {
    auto left = zeros();
    GraphBuilder builder(device);
    builder.begin_building();
    const GraphCondition outer = builder.create_condition(1);
    auto forks = builder.split(1);
    fill(forks[0], left, 4);
    GraphBuilder body = forks[0].while_loop(outer);
    builder.join(std::move(forks));
    body.begin_building();
    GraphBuilder inner = body.if_then(body.create_condition(1));
    auto within = body.split(1);
    cubind::launch(within[0], single, count_down, outer, left);
    body.join(std::move(within));
    body.end_building();
    inner.begin_building();  // the graph of an inner node can be captured later
    cubind::launch(inner, config, add, data, 1u, n);
    inner.end_building();
    builder.end_building();
    EXPECT_EQ(launch(builder.complete()), 4u);
}

TEST_F(ConditionalCaptureTest, CapturesTheStreamOfTheCaller) {
    GraphBuilder builder(stream);
    builder.begin_building();
    GraphBuilder body = builder.if_then(builder.create_condition(1));
    capture_fill(body, 7);
    builder.end_building();
    EXPECT_EQ(launch(builder.complete()), 7u);
}

TEST_F(ConditionalCaptureTest, RetainsWhatTheGraphsWithinNodesUse) {
    GraphBuilder builder(device);
    builder.begin_building();
    {
        auto temporary = zeros();
        GraphBuilder body = builder.if_then(builder.create_condition(1));
        body.begin_building();
        fill(body, temporary, 4u);
        copy(body, data, temporary);
        body.end_building();
    }
    builder.end_building();
    const Graph graph = builder.complete();
    builder.close();
    EXPECT_EQ(launch(graph), 4u);
}

TEST_F(ConditionalCaptureTest, LeavesGraphsEmptyThatAreNotCaptured) {
    GraphBuilder builder(device);
    builder.begin_building();
    const IfElseBuilders unused = builder.if_else(builder.create_condition(1));
    builder.end_building();
    EXPECT_EQ(launch(builder.complete()), 0u);
}

TEST_F(ConditionalCaptureTest, RejectsCallsInTheWrongOrder) {
    GraphBuilder builder(device);
    EXPECT_THROW((void)builder.create_condition(), std::invalid_argument);
    builder.begin_building();
    const GraphCondition condition = builder.create_condition(1);
    GraphBuilder body = builder.if_then(condition);
    EXPECT_THROW((void)body.stream(), std::invalid_argument);
    EXPECT_THROW(body.end_building(), std::invalid_argument);
    body.begin_building();
    EXPECT_FALSE(body.is_join_required());
    EXPECT_THROW(body.begin_building(), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.end_building(); }), HasSubstr("end_building()"));
    body.end_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { body.begin_building(); }), HasSubstr("already"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)body.complete(); }), HasSubstr("part of another graph"));
    EXPECT_THROW((void)body.native_handle(), std::invalid_argument);
    EXPECT_THROW((void)body.graph_definition(), std::invalid_argument);
    GraphBuilder late = builder.if_then(builder.create_condition(1));
    builder.end_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { late.begin_building(); }), HasSubstr("has ended"));
    EXPECT_THROW((void)builder.if_then(condition), std::invalid_argument);
}

TEST_F(ConditionalCaptureTest, RejectsConditionsOfOtherGraphsAndNodes) {
    GraphBuilder builder(device);
    builder.begin_building();
    const GraphCondition condition = builder.create_condition(1);
    GraphBuilder body = builder.if_then(condition);
    body.begin_building();
    EXPECT_THAT(message_of<Error>([&] { (void)body.if_then(condition); }),
                AllOf(HasSubstr("GraphBuilder::if_then"), HasSubstr("belongs to the graph")));
    EXPECT_THROW((void)builder.while_loop(condition), Error);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)body.switch_on(condition, 0); }),
                HasSubstr("GraphBuilder::switch_on"));
    body.end_building();
    builder.end_building();
    EXPECT_EQ(builder.graph_definition().nodes().size(), 1u);
}

TEST_F(ConditionalCaptureTest, CannotEndAfterAnIncompleteGraph) {
    GraphBuilder builder(device);
    builder.begin_building();
    {
        GraphBuilder body = builder.if_then(builder.create_condition(1));
        body.begin_building();
    }
    EXPECT_THAT(message_of<Error>([&] { builder.end_building(); }), HasSubstr("incomplete"));
    EXPECT_FALSE(builder.is_building());
    builder.begin_building();
    GraphBuilder body = builder.if_then(builder.create_condition(1));
    body.begin_building();
    EXPECT_THROW(body.stream().synchronize(), Error);
    EXPECT_THAT(message_of<Error>([&] { body.end_building(); }), HasSubstr("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"));
    EXPECT_THROW(builder.end_building(), Error);
    capture_fill(builder, 3);
    EXPECT_EQ(launch(builder.complete()), 3u);
}

TEST_F(ConditionalCaptureTest, EndsTheCapturesWithinWhenItIsDestroyed) {
    auto builder = std::make_unique<GraphBuilder>(device);
    builder->begin_building();
    GraphBuilder body = builder->if_then(builder->create_condition(1));
    body.begin_building();
    GraphBuilder inner = body.if_then(body.create_condition(1));
    inner.begin_building();
    builder.reset();
    EXPECT_FALSE(body.is_building());
    EXPECT_FALSE(inner.is_building());
    EXPECT_THROW(body.begin_building(), std::invalid_argument);
}

TEST_F(ConditionalCaptureTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([&] {
                  GraphBuilder builder(device);
                  builder.begin_building();
                  const GraphCondition condition = builder.create_condition(1);
                  GraphBuilder body = builder.while_loop(condition);
                  body.begin_building();
                  cubind::launch(body, single, set, condition, 0u);
                  body.end_building();
                  builder.end_building();
                  const Graph graph = builder.complete();
              }),
              15u);
}

class OldConditionalCaptureTest : public CoreTest {
protected:
    OldConditionalCaptureTest() : CoreTest({.release = "12.0"}) {}
};
class ConditionalCaptureOn124Test : public CoreTest {
protected:
    ConditionalCaptureOn124Test() : CoreTest({.release = "12.4"}) {}
};

TEST_F(OldConditionalCaptureTest, NamesTheRelease) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)builder.create_condition(); }),
                AllOf(HasSubstr("GraphBuilder::create_condition"), HasSubstr("12.3"), HasSubstr("12.0")));
}

TEST_F(OldConditionalCaptureTest, EmbedsGraphs) {
    const GraphDefinition child{Device()};
    child.empty();
    GraphBuilder builder{Device()};
    builder.begin_building();
    builder.embed(child);
    builder.embed(child);
    builder.end_building();
    EXPECT_EQ(builder.graph_definition().edges().size(), 1u);
}

TEST_F(ConditionalCaptureOn124Test, NamesTheRelease) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    const GraphCondition condition = builder.create_condition(1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)builder.if_else(condition); }),
                AllOf(HasSubstr("if_else"), HasSubstr("12.8"), HasSubstr("12.4")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)builder.switch_on(condition, 2); }), HasSubstr("12.8"));
    (void)builder.while_loop(condition);
    builder.end_building();
    EXPECT_EQ(builder.graph_definition().nodes()[0].as<ConditionalNode>().condition(), condition);
}

}  // namespace
}  // namespace cubind::testing
