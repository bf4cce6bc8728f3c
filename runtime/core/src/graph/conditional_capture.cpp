// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_condition.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "calls/driver.hpp"
#include "graph/capture.hpp"
#include "graph/conditions.hpp"

/// Conditional nodes of captured graphs.
namespace CUBIND_NAMESPACE {

GraphCondition GraphBuilder::create_condition() const {
    return GraphCondition(create_handle(false, 0));
}

GraphCondition GraphBuilder::create_condition(unsigned int initial) const {
    return GraphCondition(create_handle(true, initial));
}

driver::CUgraphConditionalHandle GraphBuilder::create_handle(bool has_initial, unsigned int initial) const {
    const driver::CUgraph graph = detail::end_of_capture(detail::StreamAccess::handle(stream())).graph;
    return detail::create_condition("GraphBuilder::create_condition", graph, state().context.native_handle(),
                                    has_initial ? std::optional(initial) : std::nullopt);
}

std::vector<GraphBuilder> GraphBuilder::add_conditional(const char* function, const GraphCondition& condition,
                                                        driver::CUgraphConditionalNodeType kind, unsigned int count) const {
    State& self = state();
    const driver::CUstream handle = detail::StreamAccess::handle(stream());
    const detail::ConditionalNodeDescription description{function, condition.native_handle(), kind, count};
    description.check();

    // Everything that can fail before the node is added.
    std::vector<GraphBuilder> builders;
    builders.reserve(count);
    for (unsigned int i = 0; i < count; ++i) builders.push_back(GraphBuilder(detail::PrivateState<State>(new State(&self))));
    const auto record = std::make_shared<detail::NodeRecord>();
    detail::NodeRecords::Entry entry = self.family->conditionals.prepare(record);

    const detail::CaptureEnd end = detail::end_of_capture(handle);
    const ScopedContext scope(self.context);
    const auto [node, parameters] = detail::add_conditional_node(
        {end.graph, self.context.native_handle(), end.nodes.data(), end.edges.data(), end.nodes.size()}, description);
    detail::continue_after(handle, node);
    record->conditional = parameters;
    self.family->conditionals.put(node, std::move(entry));
    for (unsigned int i = 0; i < count; ++i) builders[i].state().body_graph = parameters.phGraph_out[i];
    return builders;
}

GraphBuilder GraphBuilder::if_then(const GraphCondition& condition) const {
    return std::move(add_conditional("GraphBuilder::if_then", condition, driver::CU_GRAPH_COND_TYPE_IF, 1)[0]);
}

IfElseBuilders GraphBuilder::if_else(const GraphCondition& condition) const {
    auto builders = add_conditional("GraphBuilder::if_else", condition, driver::CU_GRAPH_COND_TYPE_IF, 2);
    return {std::move(builders[0]), std::move(builders[1])};
}

GraphBuilder GraphBuilder::while_loop(const GraphCondition& condition) const {
    return std::move(add_conditional("GraphBuilder::while_loop", condition, driver::CU_GRAPH_COND_TYPE_WHILE, 1)[0]);
}

std::vector<GraphBuilder> GraphBuilder::switch_on(const GraphCondition& condition, unsigned int count) const {
    return add_conditional("GraphBuilder::switch_on", condition, driver::CU_GRAPH_COND_TYPE_SWITCH, count);
}

// ---- the state of a body ---------------------------------------------------------------------------------------------------

GraphBuilder::State::State(State* outer)
    : context(outer->context),
      stream(outer->context),
      family(outer->family),
      retained(outer->retainer->retained()),
      is_body(true) {
    family->bodies.push_back(this);
}

void GraphBuilder::State::begin_body(driver::CUstreamCaptureMode mode) {
    if (is_captured) detail::throw_misuse("this GraphBuilder has captured the graph of its conditional node already");
    if (family->has_ended) {
        detail::throw_misuse(
            "this GraphBuilder cannot capture the graph of its conditional node, because the builder that added the node has "
            "ended or discarded its capture: begin and end the capture of this builder earlier");
    }
    auto next = std::make_shared<detail::CaptureRetainer>(retained, stream.handle(), context.native_handle());
    check(driver::cuStreamBeginCaptureToGraph(stream.handle(), body_graph, nullptr, nullptr, 0, mode));
    retainer = std::move(next);
    stream.set_retainer(retainer.get());
}

void GraphBuilder::State::end_body() {
    const auto ended = driver::cuStreamEndCapture(stream.handle());
    leave_capture();
    if (!ended.ok()) {
        family->has_failed = true;
        detail::throw_with_advice(
            {ended.status},
            "The graph of a conditional node could not be captured, so the whole graph cannot be used. Join all forks, and "
            "capture only kernels, copies, fills, child graphs and conditional nodes.");
    }
    is_captured = true;
}

void GraphBuilder::State::abandon_body() noexcept {
    if (!is_building()) return;
    family->has_failed = true;
    if (!stream.has_ended()) (void)driver::cuStreamEndCapture(stream.handle());  // the whole graph is unusable
    leave_capture();
}

void GraphBuilder::State::Family::end() noexcept {
    has_ended = true;
    for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) (*body)->abandon_body();  // inner ones first
}

bool GraphBuilder::State::Family::is_any_building() const noexcept {
    return std::any_of(bodies.begin(), bodies.end(), [](const State* body) { return body->is_building(); });
}

}  // namespace CUBIND_NAMESPACE
