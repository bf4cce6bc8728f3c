// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "graph/capture/capture.hpp"
#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Checks whether any stream of the capture ends in nodes that the origin stream does not depend on.
bool has_unjoined_nodes(const GraphStore& store, const Capture& capture) {
    const auto& nodes = store.nodes;
    std::vector<std::shared_ptr<Node>> waiting;
    std::set<const Node*> reachable;
    const auto visit = [&](const std::shared_ptr<Node>& node) {
        if (node != nullptr && reachable.insert(node.get()).second) waiting.push_back(node);
    };
    for (const CUgraphNode handle : capture.members.at(capture.origin).tail.nodes) visit(nodes.find(handle));
    while (!waiting.empty()) {
        const auto node = std::move(waiting.back());
        waiting.pop_back();
        for (const Dependency& each : node->dependencies) visit(nodes.find(each.node->handle));
    }
    return std::ranges::any_of(capture.members, [&](const auto& entry) {
        return std::ranges::any_of(entry.second.tail.nodes, [&](CUgraphNode handle) {
            const auto node = nodes.find(handle);
            return node != nullptr && !reachable.contains(node.get());
        });
    });
}

}  // namespace

CUresult begin(GraphStore& store, const std::shared_ptr<Stream>& stream, CUstreamCaptureMode mode,
               const std::shared_ptr<Graph>& graph, CaptureTail tail) {
    // Destruction of the context by another thread has already ended its captures.
    if (!stream->context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (capture_of(store, *stream) != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    const auto target = graph != nullptr ? graph : store.add_graph(0, false);
    ++target->captures;
    store.captures.push_back(std::make_shared<Capture>(
        Capture{new_handle_value() / 16, mode, std::this_thread::get_id(), stream.get(), target, false, {}}));
    store.has_captures.store(true, std::memory_order_relaxed);
    attach(store, *store.captures.back(), stream, std::move(tail));
    return CUDA_SUCCESS;
}

CUresult end_status(const GraphStore& store, const Capture& capture) {
    if (capture.is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    const bool is_wrong_thread = capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture.thread != std::this_thread::get_id();
    if (is_wrong_thread) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    return has_unjoined_nodes(store, capture) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED : CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
