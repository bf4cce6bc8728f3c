// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph_builder.hpp>

#include <cubind/core/device.hpp>
#include <cubind/core/event.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "graph/capture.hpp"
#include "support/driver.hpp"

namespace cubind {

// ---- life ----------------------------------------------------------------------------------------------------------------

GraphBuilder::GraphBuilder(Device device) : state_(std::make_unique<State>(device.context())) {}

GraphBuilder::GraphBuilder(StreamRef stream) : state_(std::make_unique<State>(stream)) {}

GraphBuilder::GraphBuilder(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

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
        case CaptureMode::relaxed: return driver::CU_STREAM_CAPTURE_MODE_RELAXED;
        case CaptureMode::this_thread: return driver::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        case CaptureMode::global: return driver::CU_STREAM_CAPTURE_MODE_GLOBAL;
    }
    detail::throw_misuse("there is no CaptureMode ", static_cast<int>(mode));
}

const char* advice_on_end(driver::CUresult status) {
    if (status == driver::CUDA_ERROR_STREAM_CAPTURE_UNJOINED) {
        return "Builders that split() gave have work that was not joined: join() each of them before end_building().";
    }
    if (status == driver::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) {
        return "A call since begin_building() failed or is not allowed while work is captured; look at the first error after it.";
    }
    return "There is no graph; begin_building() starts anew.";
}

}  // namespace

GraphBuilder& GraphBuilder::begin_building(CaptureMode mode) {
    State& self = state();
    if (self.is_building()) detail::throw_misuse("this GraphBuilder is building already: begin_building() comes once, before end_building()");
    if (self.graph) detail::throw_misuse("this GraphBuilder has built its graph: make a new builder for another one");
    auto retainer = std::make_shared<detail::CaptureKeeper>();
    check(driver::cuStreamBeginCapture(self.stream.handle(), native(mode)));
    self.retainer = std::move(retainer);
    self.stream.set_retainer(self.retainer.get());
    return *this;
}

GraphBuilder& GraphBuilder::end_building() {
    State& self = state();
    if (!self.is_building()) detail::throw_misuse("this GraphBuilder is not building: begin_building() comes before end_building()");
    if (self.is_fork) detail::throw_misuse("this GraphBuilder came from split(): join() it, and end the one that it came from");
    const auto ended = driver::cuStreamEndCapture(self.stream.handle());
    auto kept = self.retainer->kept();
    self.leave_capture();
    if (!ended.ok()) detail::throw_with_advice({ended.status}, advice_on_end(ended.status));
    self.graph = ended.value;
    self.kept = std::move(kept);
    return *this;
}

bool GraphBuilder::is_building() const noexcept {
    return state_ && state_->is_building();
}

StreamRef GraphBuilder::stream() const {
    if (!state().is_building()) {
        detail::throw_misuse("this GraphBuilder is not building: it stands for a stream between begin_building() and end_building() only");
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
        auto fork = std::make_unique<State>(self.context);
        fork->stream.view().wait(now);
        fork->is_fork = true;
        fork->retainer = self.retainer;
        fork->stream.set_retainer(fork->retainer.get());
        forks.push_back(GraphBuilder(std::move(fork)));
    }
    return forks;
}

void GraphBuilder::join(std::vector<GraphBuilder> forks) {
    for (GraphBuilder& fork : forks) join(std::move(fork));
}

void GraphBuilder::join(GraphBuilder fork) {
    if (!fork.is_join_required()) detail::throw_misuse("only a GraphBuilder that came from split() and is building can be joined");
    if (fork.state().retainer != state().retainer) detail::throw_misuse("a GraphBuilder joins only those of its own capture");
    stream().wait(fork.stream());
}

bool GraphBuilder::is_join_required() const noexcept {
    return is_building() && state_->is_fork;
}

GraphBuilder Device::create_graph_builder() const {
    return GraphBuilder(*this);
}

}  // namespace cubind
