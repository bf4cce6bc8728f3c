// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include "graph/capture.hpp"
#include "graph/graph_work.hpp"
#include "support/deferred.hpp"
#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- lifetime -----------------------------------------------------------------------------------------------------------

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
        return "A call since begin_building() failed, or is not allowed while work is captured. The first error after "
               "begin_building() names "
               "that call.";
    }
    return "There is no graph; begin_building() starts a new capture.";
}

}  // namespace

GraphBuilder& GraphBuilder::begin_building(CaptureMode mode) {
    State& self = state();
    if (self.is_building()) detail::throw_misuse("this GraphBuilder is building already: call end_building() first");
    if (self.graph) detail::throw_misuse("this GraphBuilder has a graph already: create a new builder for another graph");
    auto retainer = std::make_shared<detail::CaptureRetainer>();
    check(driver::cuStreamBeginCapture(self.stream.handle(), native(mode)));
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
    const auto ended = driver::cuStreamEndCapture(self.stream.handle());
    auto retained = self.retainer->retained();
    self.leave_capture();
    if (!ended.ok()) detail::throw_with_advice({ended.status}, advice_on_end(ended.status));
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
    if (!fork.is_join_required()) detail::throw_misuse("only a GraphBuilder from split() that is building can be joined");
    if (fork.state().retainer != state().retainer) detail::throw_misuse("a GraphBuilder can join only forks of its own capture");
    stream().wait(fork.stream());
}

bool GraphBuilder::is_join_required() const noexcept {
    return is_building() && state_->is_fork;
}

// ---- the graph ----------------------------------------------------------------------------------------------------------

namespace {

unsigned int dot_flags(const GraphDebugPrintOptions& options) {
    unsigned int flags = 0;
    const auto add = [&](bool is_set, driver::CUgraphDebugDot_flags flag) {
        if (is_set) flags |= static_cast<unsigned int>(flag);
    };
    add(options.verbose, driver::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
    add(options.runtime_types, driver::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
    add(options.kernel_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS);
    add(options.memcpy_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS);
    add(options.memset_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS);
    add(options.host_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS);
    add(options.event_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS);
    add(options.ext_semas_signal_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS);
    add(options.ext_semas_wait_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS);
    add(options.kernel_node_attributes, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES);
    add(options.handles, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES);
    add(options.mem_alloc_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS);
    add(options.mem_free_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS);
    add(options.batch_mem_op_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS);
    add(options.extra_topo_info, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO);
    add(options.conditional_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS);
    return flags;
}

driver::CUDA_GRAPH_INSTANTIATE_PARAMS native(const GraphCompleteOptions& options) {
    driver::CUDA_GRAPH_INSTANTIATE_PARAMS params{};
    if (options.auto_free_on_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    if (options.use_node_priority) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    if (options.device_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    if (options.upload_stream) {
        params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
        params.hUploadStream = detail::StreamAccess::handle(*options.upload_stream);
    }
    return params;
}

}  // namespace

driver::CUgraph GraphBuilder::native_handle() const {
    const driver::CUgraph graph = state().captured_graph();
    state().retain_in_graph();
    return graph;
}

Graph GraphBuilder::complete(const GraphCompleteOptions& options) const {
    const driver::CUgraph captured = state().captured_graph();
    auto graph_state = std::make_unique<detail::GraphState>(state().retained);
    const ScopedContext scope(state().context);
    const detail::RelaxedCaptureMode mode;
    const auto instantiated = driver::cuGraphInstantiateWithParams(captured, native(options));
    if (instantiated.status != driver::CUDA_SUCCESS) {
        const char* const reason = driver::to_string(instantiated.value2.result_out);
        detail::throw_with_advice({instantiated.status}, detail::concat("The graph cannot be instantiated: ", reason));
    }
    detail::destroy_ready_objects();  // of earlier graphs
    return Graph(instantiated.value1, graph_state.release());
}

void GraphBuilder::debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options) const {
    detail::check_no_nul("the path of GraphBuilder::debug_dot_print", path);
    const auto printed = driver::cuGraphDebugDotPrint(state().captured_graph(), path.c_str(), dot_flags(options));
    if (printed.ok()) return;
    detail::throw_with_advice(printed, detail::concat("The file is \"", path, "\"; its folder must exist and be writable."));
}

GraphBuilder Device::create_graph_builder() const {
    return GraphBuilder(*this);
}

}  // namespace CUBIND_NAMESPACE
