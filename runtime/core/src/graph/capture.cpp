// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <utility>

#include "calls/driver.hpp"
#include "calls/graph_retention.hpp"

namespace CUBIND_NAMESPACE {

namespace detail {
// ---- the position --------------------------------------------------------------------------------------------------------

CaptureEnd end_of_capture(driver::CUstream stream) {
    const CapturePosition position = position_of_capture(stream);
    CaptureEnd end{position.graph, NodeList(position.nodes, position.nodes + position.count), EdgeDataList(position.count)};
    if (position.edges != nullptr) end.edges.assign(position.edges, position.edges + position.count);
    return end;
}

// ---- the stream ----------------------------------------------------------------------------------------------------------

BuilderStream::BuilderStream(ContextRef context) : state_(nullptr) {
    const Stream stream(context);
    state_ = StreamAccess::state(stream);
    state_->add_user();
}

BuilderStream::BuilderStream(ContextRef context, StreamRef borrowed)
    : state_(own_stream(borrowed.native_handle(), context.native_handle())) {
    state_->disown();
}

BuilderStream::~BuilderStream() {
    set_retainer(nullptr);
    state_->remove_user();
}

}  // namespace detail

// ---- the state of a builder ----------------------------------------------------------------------------------------------

GraphBuilder::State::~State() {
    if (is_body) {
        abandon_body();
        std::erase(family->bodies, this);
    } else {
        abandon();
    }
}

driver::CUgraph GraphBuilder::State::captured_graph() const {
    if (is_body) {
        detail::throw_misuse(
            "this GraphBuilder captures the graph of a conditional node, which is part of another graph: call this function of "
            "the builder of the whole graph");
    }
    if (graph == nullptr) detail::throw_misuse("this GraphBuilder has no graph: call begin_building() and end_building() first");
    return graph;
}

detail::GraphObjects GraphBuilder::State::objects() const {
    return definition != nullptr ? definition->objects() : detail::GraphObjects{retained};
}

detail::ObjectList GraphBuilder::State::all_objects() const {
    return definition != nullptr ? definition->all_objects() : detail::ObjectList{retained};
}

detail::DefinitionState& GraphBuilder::State::explicit_definition() {
    if (definition == nullptr) {
        auto made = detail::DefinitionState::of_graph(captured_graph(), context, retained);
        for (const auto& [node, record] : family->conditionals.map()) made->put_record(node, record);
        if (is_retained_in_graph) made->retain_in_graph();
        definition = std::move(made);
    }
    return *definition;
}

void GraphBuilder::State::retain_in_graph() {
    if (definition != nullptr) return definition->retain_in_graph();
    if (is_retained_in_graph) return;
    if (!retained->empty()) detail::retain_in_graph(graph, std::make_unique<detail::DriverReference>(retained));
    is_retained_in_graph = true;
}

void GraphBuilder::State::leave_capture() noexcept {
    if (retainer && !is_fork) retainer->end_capture();
    stream.set_retainer(nullptr);
    retainer.reset();
}

void GraphBuilder::State::abandon() noexcept {
    if (family != nullptr && !is_fork) family->end();
    if (is_building() && !is_fork && !stream.has_ended()) {
        const auto ended = driver::cuStreamEndCapture(stream.handle());  // a failure concerns the capture, which is abandoned
        if (ended.value != nullptr) (void)driver::cuGraphDestroy(ended.value);
    }
    leave_capture();
    definition.reset();
    if (const driver::CUgraph unused = std::exchange(graph, nullptr)) {
        detail::report_unless_released(driver::cuGraphDestroy(unused), "destroy a graph", unused);
    }
}

}  // namespace CUBIND_NAMESPACE
