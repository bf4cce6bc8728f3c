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

namespace CUBIND_NAMESPACE::detail {

// ---- objects -------------------------------------------------------------------------------------------------------------

void RetainedObjects::add(std::shared_ptr<const void> object) {
    const void* const address = object.get();
    if (address == nullptr) return;
    const std::lock_guard lock(mutex_);
    objects_.try_emplace(address, std::move(object));
}

bool RetainedObjects::empty() const {
    const std::lock_guard lock(mutex_);
    return objects_.empty();
}

// ---- work ----------------------------------------------------------------------------------------------------------------

namespace {

// Returns whether the queried work has completed. Repeats a failed query once, so that the objects are not released too early.
// If the query fails again, the context is lost and its work has ended. CUDA_ERROR_NOT_PERMITTED is an exception: the driver
// rejects every query in a host function that the program passed to the driver itself.
template <class Query>
bool has_completed(Query query) {
    auto status = query().status;
    if (status != driver::CUDA_SUCCESS && status != driver::CUDA_ERROR_NOT_READY) status = query().status;
    return status != driver::CUDA_ERROR_NOT_READY && status != driver::CUDA_ERROR_NOT_PERMITTED;
}

}  // namespace

void GraphWork::launch(driver::CUgraphExec graph, StreamRef stream) {
    StreamState* const owned = StreamAccess::state(stream);
    if (owned == nullptr) return launch_on_foreign_stream(graph, stream);
    check(driver::cuGraphLaunch(graph, StreamAccess::handle(stream)));
    if (last_stream_.get() != owned) last_stream_ = StreamUser(owned);
}

// Records an event after the launch, because the lifetime of a foreign stream is unknown and a default stream depends on the
// current context.
void GraphWork::launch_on_foreign_stream(driver::CUgraphExec graph, StreamRef stream) {
    const ContextRef context = stream.context();
    std::optional<Event> created;
    if (!mark_ || context_of_mark_ != context.native_handle()) created.emplace(context);
    check(driver::cuGraphLaunch(graph, StreamAccess::handle(stream)));
    stream.record(created ? *created : *mark_);
    if (created) mark_ = std::move(created);
    context_of_mark_ = context.native_handle();
    last_stream_ = StreamUser();
}

bool GraphWork::is_ready() noexcept try {
    if (is_in_host_function()) return false;  // a host function must not call CUDA
    if (last_stream_.get() == nullptr && !mark_) return true;
    const RelaxedCaptureMode mode;
    if (last_stream_.get() != nullptr) {
        if (last_stream_.get()->has_ended()) return true;
        const driver::CUstream stream = last_stream_.get()->handle();
        const auto capture = driver::cuStreamIsCapturing(stream);
        // A stream cannot be queried while it is capturing.
        if (capture.ok() && capture.value != driver::CU_STREAM_CAPTURE_STATUS_NONE) return false;
        if (has_completed([&] { return driver::cuStreamQuery(stream); })) return true;
        record_last_launch();
    }
    return has_completed([&] { return driver::cuEventQuery(mark_->native_handle()); });
} catch (...) {
    return false;  // no event could be created
}

void GraphWork::record_last_launch() {
    const StreamRef stream = StreamAccess::view(last_stream_.get());
    Event mark(stream.context());
    stream.record(mark);
    mark_ = std::move(mark);
    last_stream_ = StreamUser();
}

// ---- state ---------------------------------------------------------------------------------------------------------------

GraphState::GraphState(std::shared_ptr<const RetainedObjects> retained)
    : work_(std::make_unique<GraphWork>(std::move(retained))) {}

GraphState::~GraphState() {
    set_work(nullptr);
}

void GraphState::set_work(std::unique_ptr<GraphWork> work) noexcept {
    std::swap(work_, work);
    if (work != nullptr && !work->is_ready()) destroy_later(work.release());
}

}  // namespace CUBIND_NAMESPACE::detail
