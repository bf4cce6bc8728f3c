// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <simulation/functions.hpp>

#include "capture/capture.hpp"
#include "graph/add_node.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The legacy default stream waits implicitly for other streams, so it cannot be captured.
CUresult check_begin(const StreamCheck& stream, CUstreamCaptureMode mode) {
    if (stream.failed()) return stream.status;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    return stream->context->order.legacy() == stream.stream ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult begin(const StreamCheck& stream, CUstreamCaptureMode mode, const std::shared_ptr<Graph>& graph, CaptureTail tail) {
    GraphStore& store = machine().graph_store;
    // Destruction of the context by another thread has already ended its captures.
    if (!stream->context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (capture_of(*stream) != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    const auto target = graph != nullptr ? graph : store.add_graph(0, false);
    ++target->captures;
    store.captures.push_back(std::make_shared<Capture>(
        Capture{new_handle_value() / 16, mode, std::this_thread::get_id(), stream.stream.get(), target, false, {}}));
    store.has_captures.store(true, std::memory_order_relaxed);
    attach(*store.captures.back(), stream.stream, std::move(tail));
    return CUDA_SUCCESS;
}

// Checks whether any stream of the capture ends in nodes that the origin stream does not depend on.
bool has_unjoined_nodes(const Capture& capture) {
    const auto& nodes = machine().graph_store.nodes;
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

CUresult end_status(const Capture& capture) {
    if (capture.is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    const bool is_wrong_thread = capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture.thread != std::this_thread::get_id();
    if (is_wrong_thread) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    return has_unjoined_nodes(capture) ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED : CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
    const StreamCheck stream(hStream);
    if (const CUresult status = check_begin(stream, mode)) return status;
    const std::lock_guard lock(machine().graph_store.mutex);
    return begin(stream, mode, nullptr, {});
}

CUresult sim_cuStreamBeginCapture(CUstream hStream) {
    return sim_cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult sim_cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies,
                                         const CUgraphEdgeData* dependencyData, std::size_t numDependencies,
                                         CUstreamCaptureMode mode) {
    const StreamCheck stream(hStream);
    if (const CUresult status = check_begin(stream, mode)) return status;
    const GraphCheck graph(hGraph);
    if (graph.failed()) return graph.status;
    std::vector<Dependency> found;
    if (const CUresult status = find_dependencies(*graph, dependencies, dependencyData, numDependencies, found)) return status;
    CaptureTail tail;
    for (const Dependency& each : found) tail.add(each.node->handle, each.data);
    return begin(stream, mode, graph.graph, std::move(tail));
}

CUresult sim_cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    if (phGraph != nullptr) *phGraph = nullptr;
    const std::lock_guard lock(machine().graph_store.mutex);
    const auto capture = capture_of(*stream);
    if (capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream.stream.get()) {
        invalidate(*capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    const CUresult status = end_status(*capture);
    end(capture, status == CUDA_SUCCESS);
    if (status == CUDA_SUCCESS && phGraph != nullptr) *phGraph = capture->graph->handle;
    return status;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
