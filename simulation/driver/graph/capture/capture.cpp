// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture/capture.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

bool is_legacy(const Stream& stream) {
    return stream.context->order.legacy().get() == &stream;
}

// The legacy default stream counts as captured while a capture includes a stream that it would wait for.
void update_legacy(const GraphStore& store, Context& context) {
    const bool is_affected = std::ranges::any_of(store.captures, [&](const auto& capture) {
        return std::ranges::any_of(capture->members, [&](const auto& entry) {
            const Stream& stream = *entry.second.stream;
            return stream.is_blocking() && stream.context.get() == &context;
        });
    });
    context.order.legacy()->is_captured.store(is_affected, std::memory_order_relaxed);
}

CUresult refuse_implicit(const GraphStore& store, const Context& context) {
    for (const auto& capture : store.captures) {
        const bool is_affected = std::ranges::any_of(capture->members, [&](const auto& entry) {
            return entry.second.stream->is_blocking() && entry.second.stream->context.get() == &context;
        });
        if (is_affected) invalidate(*capture);
    }
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

// Finds the capture that receives the stream's work. Returns an error if there is none, or if it is invalid.
CUresult find_valid(const GraphStore& store, const Stream& stream, std::shared_ptr<Capture>& found) {
    found = capture_of(store, stream);
    if (found != nullptr) return found->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    // Another thread may have ended the capture between the check of the stream and the lock.
    return is_legacy(stream) ? refuse_implicit(store, *stream.context) : CUDA_ERROR_ILLEGAL_STATE;
}

// With programmatic stream serialization, a kernel may start before the preceding kernel has ended.
CUgraphEdgeData edge_between(const Node& from, const Node& to, const CUgraphEdgeData& default_edge) {
    const auto* const kernel = std::get_if<KernelOperation>(&to.operation);
    if (kernel == nullptr || !std::holds_alternative<KernelOperation>(from.operation)) return default_edge;
    const bool is_early = std::ranges::any_of(kernel->attributes(), [](const CUlaunchAttribute& each) {
        return each.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
               each.value.programmaticStreamSerializationAllowed != 0;
    });
    return is_early ? CUgraphEdgeData{1, 0, CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC, {}} : default_edge;
}

}  // namespace

void CaptureTail::add(CUgraphNode node, const CUgraphEdgeData& edge) {
    if (std::ranges::find(nodes, node) != nodes.end()) return;
    nodes.push_back(node);
    edges.push_back(edge);
}

void CaptureTail::add(const CaptureTail& other) {
    for (std::size_t i = 0; i < other.nodes.size(); ++i) add(other.nodes[i], other.edges[i]);
}

void attach(GraphStore& store, Capture& capture, const std::shared_ptr<Stream>& stream, CaptureTail tail) {
    capture.members.insert_or_assign(stream.get(), Capture::Member{stream, std::move(tail)});
    stream->is_captured.store(true, std::memory_order_relaxed);
    update_legacy(store, *stream->context);
}

void detach_all(GraphStore& store, Capture& capture) {
    const auto members = std::move(capture.members);
    capture.members.clear();
    for (const auto& [stream, member] : members) {
        member.stream->is_captured.store(false, std::memory_order_relaxed);
        update_legacy(store, *member.stream->context);
    }
}

std::shared_ptr<Capture> capture_of(const GraphStore& store, const Stream& stream) {
    const auto found = std::ranges::find_if(store.captures, [&](const auto& each) { return each->members.contains(&stream); });
    return found != store.captures.end() ? *found : nullptr;
}

void end(GraphStore& store, const std::shared_ptr<Capture>& capture, bool has_succeeded) {
    detach_all(store, *capture);
    std::erase(store.captures, capture);
    store.has_captures.store(!store.captures.empty(), std::memory_order_relaxed);
    --capture->graph->captures;
    if (!has_succeeded) store.graphs.remove(capture->graph->handle);
}

void end_captures(GraphStore& store, Context& context) {
    const std::lock_guard lock(store.mutex);
    const auto all = store.captures;
    for (const auto& capture : all) {
        const bool is_affected =
            std::ranges::any_of(capture->members, [&](const auto& entry) { return entry.first->context.get() == &context; });
        if (is_affected) end(store, capture, false);
    }
}

void end_capture_of(GraphStore& store, const Stream& stream) {
    const std::lock_guard lock(store.mutex);
    const auto capture = capture_of(store, stream);
    if (capture != nullptr && capture->origin == &stream) end(store, capture, false);
}

CUresult capture_locked(GraphStore& store, const std::shared_ptr<Stream>& stream, Operation operation) {
    std::shared_ptr<Capture> capture;
    if (const CUresult status = find_valid(store, *stream, capture)) return status;
    CaptureTail& tail = capture->members.at(stream.get()).tail;
    CaptureTail next{{nullptr}, {CUgraphEdgeData{}}};
    Node& node = capture->graph->add(std::move(operation));
    try {
        for (std::size_t i = 0; i < tail.nodes.size(); ++i) {
            const auto before = store.nodes.find(tail.nodes[i]);
            if (before == nullptr) continue;
            // cuStreamUpdateCaptureDependencies_v2 accepts edges before the node at their end is known.
            if (const CUresult status = capture->graph->connect(*before, node, edge_between(*before, node, tail.edges[i]))) {
                capture->graph->remove(node);
                return status;
            }
        }
    } catch (...) {
        capture->graph->remove(node);
        throw;
    }
    next.nodes[0] = node.handle;
    tail = std::move(next);
    return CUDA_SUCCESS;
}

CUresult capture(GraphStore& store, const std::shared_ptr<Stream>& stream, Operation operation) {
    const std::lock_guard lock(store.mutex);
    return capture_locked(store, stream, std::move(operation));
}

CUresult refuse_capture(GraphStore& store, const std::shared_ptr<Stream>& stream) {
    const std::lock_guard lock(store.mutex);
    const auto capture = capture_of(store, *stream);
    if (capture == nullptr) return refuse_implicit(store, *stream->context);
    invalidate(*capture);
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult capture_record(GraphStore& store, const std::shared_ptr<Stream>& stream, const std::shared_ptr<Event>& event,
                        unsigned flags) {
    const std::lock_guard lock(store.mutex);
    if (flags == CU_EVENT_RECORD_EXTERNAL) return capture_locked(store, stream, RecordOperation{event});
    std::shared_ptr<Capture> capture;
    if (const CUresult status = find_valid(store, *stream, capture)) return status;
    event->set_capture_mark(std::make_shared<CaptureMark>(CaptureMark{capture, capture->members.at(stream.get()).tail}));
    return CUDA_SUCCESS;
}

CUresult capture_wait(GraphStore& store, const std::shared_ptr<Stream>& stream, const std::shared_ptr<Event>& event,
                      unsigned flags) {
    const std::lock_guard lock(store.mutex);
    if (flags == CU_EVENT_WAIT_EXTERNAL && stream->is_captured.load(std::memory_order_relaxed))
        return capture_locked(store, stream, WaitOperation{event});
    const auto own = capture_of(store, *stream);
    if (own == nullptr && is_legacy(*stream) && stream->is_captured.load(std::memory_order_relaxed))
        return refuse_implicit(store, *stream->context);
    if (own != nullptr && own->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    const auto mark = event->capture_mark();
    if (mark == nullptr) {
        if (!event->record().exists) return CUDA_SUCCESS;  // the event was never recorded
        if (own != nullptr) invalidate(*own);
        return own != nullptr ? CUDA_ERROR_STREAM_CAPTURE_ISOLATION : CUDA_SUCCESS;
    }
    const auto other = mark->capture.lock();
    if (other == nullptr || other->members.empty()) {
        if (own != nullptr) invalidate(*own);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (own == nullptr && is_legacy(*stream)) {
        invalidate(*other);
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (other->is_invalid) return CUDA_ERROR_INVALID_VALUE;
    if (own != nullptr && own != other) {
        invalidate(*own);
        invalidate(*other);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (!stream->context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;  // another thread destroyed it in the meantime
    if (own == nullptr) {
        attach(store, *other, stream, mark->tail);
    } else {
        own->members.at(stream.get()).tail.add(mark->tail);
    }
    return CUDA_SUCCESS;
}

CUresult refuse_captured_event(GraphStore& store, const Event& event, bool is_wait) {
    const std::lock_guard lock(store.mutex);
    const auto mark = event.capture_mark();
    const auto capture = mark != nullptr ? mark->capture.lock() : nullptr;
    if (capture == nullptr || capture->members.empty() || capture->is_invalid) return CUDA_ERROR_INVALID_VALUE;
    if (is_wait) invalidate(*capture);
    return CUDA_ERROR_CAPTURED_EVENT;
}

}  // namespace CUBIND_NAMESPACE::sim
