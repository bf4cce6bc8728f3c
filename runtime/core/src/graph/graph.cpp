// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/strings.hpp>

#include "calls/driver.hpp"
#include "graph/capture.hpp"
#include "graph/definition_state.hpp"
#include "graph/graph_work.hpp"
#include "graph/node_description.hpp"
#include "lifetime/deferred.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

Graph Graph::from_native_handle(Handle handle) {
    return Graph(handle, new detail::GraphState({}));
}

void GraphRef::launch(StreamRef stream) const {
    if (state_ != nullptr) return state_->work().launch(native_handle(), stream);
    detail::launch_graph(native_handle(), stream);
}

unsigned int GraphRef::id() const {
    return check(driver::cuGraphExecGetId(native_handle()));
}

void GraphRef::upload(StreamRef stream) const {
    check(driver::cuGraphUpload(native_handle(), detail::StreamAccess::handle(stream)));
}

namespace {

// Throws the error of a failed update. The message states the difference and the node that differs.
[[noreturn]] void throw_not_updated(driver::CUresult status, const driver::CUgraphExecUpdateResultInfo& why,
                                    driver::CUgraph graph, const char* kind) {
    std::string text = detail::concat(
        "The ", kind, "'s graph differs from the graph that this one was instantiated from: ", driver::to_string(why.result));
    if (why.errorNode != nullptr) text.append("; the difference is at ").append(detail::describe_node(graph, why.errorNode));
    if (why.errorFromNode != nullptr) {
        text.append(", at its edge from ").append(detail::describe_node(graph, why.errorFromNode));
    }
    detail::throw_with_advice({status}, detail::concat(text, "; complete() the ", kind, " to get a new graph."));
}

}  // namespace

void GraphRef::update(const GraphBuilder& builder) const {
    // A view of a foreign graph cannot retain objects, so native_handle() makes the driver retain them.
    const driver::CUgraph captured = state_ != nullptr ? builder.state().captured_graph() : builder.native_handle();
    auto work = state_ != nullptr ? std::make_unique<detail::GraphWork>(builder.state().objects()) : nullptr;
    const auto [status, why] = driver::cuGraphExecUpdate(native_handle(), captured);
    if (status != driver::CUDA_SUCCESS) throw_not_updated(status, why, captured, "builder");
    if (state_ != nullptr) state_->set_work(std::move(work));
    detail::destroy_ready_objects();
}

void GraphRef::update(const GraphDefinition& definition) const {
    const detail::DefinitionState& next = detail::NodeAccess::state(definition);
    const driver::CUgraph graph = state_ != nullptr ? next.graph() : definition.native_handle();
    auto work = state_ != nullptr ? std::make_unique<detail::GraphWork>(next.objects()) : nullptr;
    const ScopedContext scope(next.context());
    const auto [status, why] = driver::cuGraphExecUpdate(native_handle(), graph);
    if (status != driver::CUDA_SUCCESS) throw_not_updated(status, why, graph, "definition");
    if (state_ != nullptr) state_->set_work(std::move(work));
    detail::destroy_ready_objects();
}

// ---- ownership -----------------------------------------------------------------------------------------------------------

void GraphRef::destroy() const {
    const detail::RelaxedCaptureMode mode;
    const std::unique_ptr<detail::GraphState> state(state_);
    check(driver::cuGraphExecDestroy(handle_));
}

void GraphRef::destroy_quietly() const noexcept {
    const detail::RelaxedCaptureMode mode;
    detail::report_unless_released(driver::cuGraphExecDestroy(handle_), "destroy an executable graph", handle_);
    delete state_;
}

GraphRef::Handle GraphRef::release_handle() const noexcept {
    if (state_ != nullptr) state_->disown_work();
    delete state_;
    return handle_;
}

}  // namespace CUBIND_NAMESPACE
