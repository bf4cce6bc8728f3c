// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_work.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/detail/host_function.hpp>
#include <cubind/driver/event.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

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
// can reject a query in a host function that the program passed to the driver itself.
template <class Query>
bool has_completed(Query query) {
    auto status = query().status;
    if (status != driver::CUDA_SUCCESS && status != driver::CUDA_ERROR_NOT_READY) status = query().status;
    return status != driver::CUDA_ERROR_NOT_READY && status != driver::CUDA_ERROR_NOT_PERMITTED;
}

}  // namespace

void launch_graph(driver::CUgraphExec graph, StreamRef stream) {
    const auto launched = driver::cuGraphLaunch(graph, StreamAccess::handle(stream));
    if (launched.ok()) [[likely]]
        return;
    const bool is_refused = launched.status == driver::CUDA_ERROR_INVALID_VALUE;
    throw_with_advice(launched, is_refused ? "If the graph has memory operations, their memory must not belong to a pool: use "
                                             "pinned memory, such as memory of LegacyPinnedMemoryResource, or memory of "
                                             "VirtualMemoryResource or cuMemAlloc"
                                           : "");
}

void GraphWork::launch(driver::CUgraphExec graph, StreamRef stream) {
    StreamState* const owned = StreamAccess::state(stream);
    if (owned == nullptr) return launch_on_foreign_stream(graph, stream);
    launch_graph(graph, stream);
    if (last_stream_.get() != owned) last_stream_ = StreamUser(owned);
}

// Records an event after the launch, because the lifetime of a foreign stream is unknown and a default stream depends on the
// current context. An event that another object shares is not recorded again.
void GraphWork::launch_on_foreign_stream(driver::CUgraphExec graph, StreamRef stream) {
    const ContextRef context = stream.context();
    std::shared_ptr<const Event> mark =
        mark_.use_count() == 1 && context_of_mark_ == context.native_handle() ? mark_ : std::make_shared<const Event>(context);
    launch_graph(graph, stream);
    stream.record(*mark);
    mark_ = std::move(mark);
    context_of_mark_ = context.native_handle();
    last_stream_ = StreamUser();
}

GraphWork::GraphWork(const GraphWork& other, driver::CUgraphNode node)
    : last_stream_(other.last_stream_), mark_(other.mark_), context_of_mark_(other.context_of_mark_) {
    objects_.nodes.put(nullptr, objects_.nodes.prepare(other.objects_.nodes.find(node)));
}

bool GraphWork::shares_objects(driver::CUgraphNode node, const NodeRecord& next) const {
    const NodeRecordPointer current = objects_.nodes.find(node);
    if (current == nullptr) return true;
    return std::all_of(current->objects.begin(), current->objects.end(), [&](const auto& object) {
        return std::find(next.objects.begin(), next.objects.end(), object) != next.objects.end();
    });
}

bool GraphWork::is_ready() noexcept try {
    if (is_in_host_function()) return false;  // a host function must not call CUDA
    if (last_stream_.get() == nullptr && mark_ == nullptr) return true;
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
    auto mark = std::make_shared<const Event>(stream.context());
    stream.record(*mark);
    mark_ = std::move(mark);
    last_stream_ = StreamUser();
}

// ---- state ---------------------------------------------------------------------------------------------------------------

GraphState::GraphState(GraphObjects objects) : work_(std::make_unique<GraphWork>(std::move(objects))) {}

GraphState::~GraphState() {
    set_work(nullptr);
}

void GraphState::set_work(std::unique_ptr<GraphWork> work) noexcept {
    std::swap(work_, work);
    if (work != nullptr && !work->is_ready()) destroy_later(work.release());
}

}  // namespace CUBIND_NAMESPACE::detail
