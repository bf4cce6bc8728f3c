// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture/capture.hpp"

#include <simulation/functions.hpp>

#include "graph/node_rules.hpp"
#include "machine/graph_check.hpp"
#include "machine/stream_check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The legacy default stream waits implicitly for other streams, so it cannot be captured.
CUresult check_begin(const StreamCheck& stream, CUstreamCaptureMode mode) {
    if (stream.failed()) return stream.status;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    return stream->context->order.legacy() == stream.stream ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) {
    const StreamCheck stream(hStream);
    if (const CUresult status = check_begin(stream, mode)) return status;
    const std::lock_guard lock(machine().graph_store.mutex);
    return begin(machine().graph_store, stream.stream, mode, nullptr, {});
}

CUresult sim_cuStreamBeginCapture(CUstream hStream) {
    return sim_cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult sim_cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies,
                                         const CUgraphEdgeData* dependencyData, std::size_t numDependencies,
                                         CUstreamCaptureMode mode) {
    const StreamCheck stream(hStream);
    if (const CUresult status = check_begin(stream, mode)) return status;
    const Valid<GraphCheck> graph(hGraph);
    std::vector<Dependency> found;
    if (const CUresult status =
            find_dependencies(machine().graph_store, *graph, dependencies, dependencyData, numDependencies, found))
        return status;
    CaptureTail tail;
    for (const Dependency& each : found) tail.add(each.node->handle, each.data);
    return begin(machine().graph_store, stream.stream, mode, graph.graph, std::move(tail));
}

CUresult sim_cuStreamEndCapture(CUstream hStream, CUgraph* phGraph) {
    const Valid<StreamCheck> stream(hStream);
    if (phGraph != nullptr) *phGraph = nullptr;
    const std::lock_guard lock(machine().graph_store.mutex);
    const auto capture = capture_of(machine().graph_store, *stream);
    if (capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream.stream.get()) {
        invalidate(*capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    const CUresult status = end_status(machine().graph_store, *capture);
    end(machine().graph_store, capture, status == CUDA_SUCCESS);
    if (status == CUDA_SUCCESS && phGraph != nullptr) *phGraph = capture->graph->handle;
    return status;
}

CUresult sim_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    if (const CUresult status = check_initialized()) return status;
    if (mode == nullptr || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_INVALID_VALUE;
    std::swap(*mode, thread_capture_mode());
    return CUDA_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
