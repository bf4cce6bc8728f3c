// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "calls/driver.hpp"
#include "graph/capture.hpp"
#include "graph/instantiation.hpp"
#include "lifetime/deferred.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- lifetime -----------------------------------------------------------------------------------------------------------

GraphBuilder::GraphBuilder(Device device) : state_(new State(device.context())) {}

GraphBuilder::GraphBuilder(StreamRef stream) : state_(new State(stream)) {}

GraphBuilder::GraphBuilder(detail::PrivateState<State> state) noexcept : state_(std::move(state)) {}

GraphBuilder::GraphBuilder(GraphBuilder&&) noexcept = default;
GraphBuilder& GraphBuilder::operator=(GraphBuilder&&) noexcept = default;
GraphBuilder::~GraphBuilder() = default;

GraphBuilder::State& GraphBuilder::state() const {
    if (!state_) detail::throw_moved_from("GraphBuilder");
    return *state_;
}

void GraphBuilder::close() {
    state_.reset();
}

// ---- building ------------------------------------------------------------------------------------------------------------

namespace {

driver::CUstreamCaptureMode native(CaptureMode mode) {
    switch (mode) {
        case CaptureMode::relaxed:
            return driver::CU_STREAM_CAPTURE_MODE_RELAXED;
        case CaptureMode::this_thread:
            return driver::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        case CaptureMode::global:
            return driver::CU_STREAM_CAPTURE_MODE_GLOBAL;
    }
    detail::throw_misuse("invalid CaptureMode ", static_cast<int>(mode));
}

const char* advice_on_end(driver::CUresult status) {
    if (status == driver::CUDA_ERROR_STREAM_CAPTURE_UNJOINED) {
        return "Forks from split() have work that was not joined: join() each of them before end_building().";
    }
    if (status == driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) {
        return "A call since begin_building() failed, or is not allowed while work is captured. It is a call of this thread "
               "or, such as Device::synchronize() in every mode, of another thread. The first error after begin_building() in "
               "that thread names the call.";
    }
    return "There is no graph; begin_building() starts a new capture.";
}

// Destroys the captured graph and throws Error, because the graph of a conditional node was not captured completely.
[[noreturn]] void throw_incomplete(driver::CUgraph graph) {
    detail::report_unless_released(driver::cuGraphDestroy(graph), "destroy a graph", graph);
    throw Error("driver", "cuStreamEndCapture", driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
                "The graph of a conditional node is incomplete: end_building() of its GraphBuilder failed or was not called. "
                "There is no graph; begin_building() starts a new capture.");
}

}  // namespace

GraphBuilder& GraphBuilder::begin_building(CaptureMode mode) {
    State& self = state();
    if (self.is_building()) detail::throw_misuse("this GraphBuilder is building already: call end_building() first");
    if (self.is_body) {
        self.begin_body(native(mode));
        return *this;
    }
    if (self.graph) detail::throw_misuse("this GraphBuilder has a graph already: create a new builder for another graph");
    auto family = std::make_shared<State::Family>();
    auto retainer = std::make_shared<detail::CaptureRetainer>(std::make_shared<detail::RetainedObjects>(), self.stream.handle(),
                                                              self.context.native_handle());
    check(driver::cuStreamBeginCapture(self.stream.handle(), native(mode)));
    self.family = std::move(family);
    self.retainer = std::move(retainer);
    self.stream.set_retainer(self.retainer.get());
    return *this;
}

GraphBuilder& GraphBuilder::end_building() {
    State& self = state();
    if (!self.is_building()) detail::throw_misuse("this GraphBuilder is not building: call begin_building() first");
    if (self.is_fork) {
        detail::throw_misuse(
            "this GraphBuilder is a fork from split(): join() it, and call end_building() of the builder that was split");
    }
    if (self.is_body) {
        self.end_body();
        detail::destroy_ready_objects();
        return *this;
    }
    if (self.family->is_any_building()) {
        detail::throw_misuse("a GraphBuilder of the graph of a conditional node is building: call its end_building() first");
    }
    self.family->end();
    const auto ended = driver::cuStreamEndCapture(self.stream.handle());
    auto retained = self.retainer->retained();
    self.leave_capture();
    if (!ended.ok()) detail::throw_with_advice({ended.status}, advice_on_end(ended.status));
    if (self.family->has_failed) throw_incomplete(ended.value);
    self.graph = ended.value;
    self.retained = std::move(retained);
    detail::destroy_ready_objects();  // during the capture its stream could not be queried
    return *this;
}

bool GraphBuilder::is_building() const noexcept {
    return state_ && state_->is_building();
}

StreamRef GraphBuilder::stream() const {
    if (!state().is_building()) {
        detail::throw_misuse(
            "this GraphBuilder is not building: it is a stream only between begin_building() and end_building()");
    }
    return state().stream.view();
}

// ---- forks ---------------------------------------------------------------------------------------------------------------

std::vector<GraphBuilder> GraphBuilder::split(std::size_t count) {
    State& self = state();
    const Event now = stream().record();
    std::vector<GraphBuilder> forks;
    forks.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        detail::PrivateState<State> fork(new State(self.context));
        fork->stream.view().wait(now);
        fork->is_fork = true;
        fork->retainer = self.retainer;
        fork->family = self.family;
        fork->stream.set_retainer(fork->retainer.get());
        forks.push_back(GraphBuilder(std::move(fork)));
    }
    return forks;
}

void GraphBuilder::join(std::vector<GraphBuilder> forks) {
    for (GraphBuilder& fork : forks) join(std::move(fork));
}

void GraphBuilder::join(GraphBuilder fork) {
    if (!fork.is_join_required()) detail::throw_misuse("only a GraphBuilder from split() that is building can be joined");
    if (fork.state().retainer != state().retainer) detail::throw_misuse("a GraphBuilder can join only forks of its own capture");
    stream().wait(fork.stream());
}

bool GraphBuilder::is_join_required() const noexcept {
    return is_building() && state_->is_fork;
}

// ---- the graph ----------------------------------------------------------------------------------------------------------

driver::CUgraph GraphBuilder::native_handle() const {
    const driver::CUgraph graph = state().captured_graph();
    state().retain_in_graph();
    return graph;
}

Graph GraphBuilder::complete(const GraphCompleteOptions& options) const {
    const driver::CUgraph captured = state().captured_graph();
    return detail::instantiate(captured, state().context, state().objects(), options);
}

void GraphBuilder::debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options) const {
    detail::print_dot(state().captured_graph(), path, options);
}

GraphDefinitionRef GraphBuilder::graph_definition() const {
    const driver::CUgraph graph = state().captured_graph();
    return {&state().explicit_definition(), graph};
}

GraphBuilder Device::create_graph_builder() const {
    return GraphBuilder(*this);
}

}  // namespace CUBIND_NAMESPACE
