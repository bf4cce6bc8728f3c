// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_work.hpp"

#include <cubind/core/detail/stream_access.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <utility>

#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind::detail {
namespace {

// A query that fails is made once more: what the work uses must not go too early. A context that is lost does no work.
template <class Query>
bool is_over(Query query) {
    auto status = query().status;
    if (status != driver::CUDA_SUCCESS && status != driver::CUDA_ERROR_NOT_READY) status = query().status;
    return status != driver::CUDA_ERROR_NOT_READY;
}

}  // namespace

void GraphWork::launch(driver::CUgraphExec graph, StreamRef stream) {
    StreamState* const owned = StreamAccess::state(stream);
    if (owned == nullptr) return launch_elsewhere(graph, stream);
    check(driver::cuGraphLaunch(graph, stream.native_handle()));
    if (last_.get() != owned) last_ = StreamUser(owned);
}

// Nothing tells how long such a stream lives, and what the default ones are later.
void GraphWork::launch_elsewhere(driver::CUgraphExec graph, StreamRef stream) {
    const ContextRef context = stream.context();
    std::optional<Event> made;
    if (!mark_ || context_of_mark_ != context.native_handle()) made.emplace(context);
    check(driver::cuGraphLaunch(graph, stream.native_handle()));
    stream.record(made ? *made : *mark_);
    if (made) mark_ = std::move(made);
    context_of_mark_ = context.native_handle();
    last_ = StreamUser();
}

bool GraphWork::is_ready() noexcept try {
    if (last_.get() == nullptr && !mark_) return true;
    const RelaxedCaptureMode mode;
    if (last_.get() != nullptr) {
        const driver::CUstream stream = last_.get()->handle();
        const auto capture = driver::cuStreamIsCapturing(stream);
        if (capture.ok() && capture.value != driver::CU_STREAM_CAPTURE_STATUS_NONE) return false;  // only later it can be asked
        if (is_over([&] { return driver::cuStreamQuery(stream); })) return true;
        mark_last();
    }
    return is_over([&] { return driver::cuEventQuery(mark_->native_handle()); });
} catch (...) {
    return false;  // there was no event to be had
}

void GraphWork::mark_last() {
    const StreamRef stream = StreamAccess::view(last_.get());
    Event mark(stream.context());
    stream.record(mark);
    mark_ = std::move(mark);
    last_ = StreamUser();
}

// ---- the state -----------------------------------------------------------------------------------------------------------

GraphState::GraphState(std::shared_ptr<const KeptObjects> kept) : work_(std::make_unique<GraphWork>(std::move(kept))) {
    prepare_to_defer();
}

GraphState::~GraphState() {
    set_work(nullptr);
}

void GraphState::set_work(std::unique_ptr<GraphWork> work) noexcept {
    std::swap(work_, work);
    if (work != nullptr && !work->is_ready()) destroy_later(work.release());
}

}  // namespace cubind::detail
