// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "graph/capture/capture.hpp"
#include "graph/node_rules.hpp"
#include "machine/stream_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Outputs of a query of a capture. Null outputs are not written.
struct InfoOutputs {
    CUstreamCaptureStatus* status;
    cuuint64_t* id;
    CUgraph* graph;
    const CUgraphNode** nodes;
    const CUgraphEdgeData** edges;
    std::size_t* count;
};

template <class Value>
void write_value(Value* output, const Value& value) {
    if (output != nullptr) *output = value;
}

CUstreamCaptureStatus status_of(const Capture* capture) {
    if (capture == nullptr) return CU_STREAM_CAPTURE_STATUS_NONE;
    return capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

// The legacy default stream is part of no capture. Querying it is an error while it would have to wait for a captured
// stream.
CUresult find(const StreamCheck& stream, std::shared_ptr<Capture>& capture) {
    capture = capture_of(machine().graph_store, *stream);
    return capture == nullptr && stream.is_captured() ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

CUresult get_info(CUstream handle, const InfoOutputs& outputs) {
    const Valid<StreamCheck> stream(handle);
    if (outputs.status == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(machine().graph_store.mutex);
    std::shared_ptr<Capture> capture;
    if (const CUresult status = find(stream, capture)) return status;
    *outputs.status = status_of(capture.get());
    if (capture == nullptr || capture->is_invalid) return CUDA_SUCCESS;
    const CaptureTail& tail = capture->members.at(stream.stream.get()).tail;
    const bool hides_edges = outputs.nodes != nullptr && outputs.edges == nullptr;
    for (const CUgraphEdgeData& edge : tail.edges) {
        if (hides_edges && (edge.from_port != 0 || edge.type != CU_GRAPH_DEPENDENCY_TYPE_DEFAULT)) return CUDA_ERROR_LOSSY_QUERY;
    }
    write_value(outputs.id, capture->id);
    write_value(outputs.graph, capture->graph->handle);
    write_value(outputs.nodes, tail.nodes.data());
    write_value(outputs.edges, tail.edges.data());
    write_value(outputs.count, tail.nodes.size());
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
    const Valid<StreamCheck> stream(hStream);
    if (!stream.is_captured()) return write_output(captureStatus, CU_STREAM_CAPTURE_STATUS_NONE);
    return get_info(hStream, {captureStatus, nullptr, nullptr, nullptr, nullptr, nullptr});
}

CUresult sim_cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out,
                                       CUgraph* graph_out, const CUgraphNode** dependencies_out,
                                       const CUgraphEdgeData** edgeData_out, std::size_t* numDependencies_out) {
    return get_info(hStream, {captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out});
}

CUresult sim_cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out,
                                       CUgraph* graph_out, const CUgraphNode** dependencies_out,
                                       std::size_t* numDependencies_out) {
    return get_info(hStream, {captureStatus_out, id_out, graph_out, dependencies_out, nullptr, numDependencies_out});
}

CUresult sim_cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out) {
    return get_info(hStream, {captureStatus_out, id_out, nullptr, nullptr, nullptr, nullptr});
}

CUresult sim_cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode* dependencies,
                                                  const CUgraphEdgeData* dependencyData, std::size_t numDependencies,
                                                  unsigned int flags) {
    const Valid<StreamCheck> stream(hStream);
    const std::lock_guard lock(machine().graph_store.mutex);
    std::shared_ptr<Capture> capture;
    if (const CUresult status = find(stream, capture)) return status;
    if (capture == nullptr) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
    std::vector<Dependency> found;
    const CUresult status =
        find_dependencies(machine().graph_store, *capture->graph, dependencies, dependencyData, numDependencies, found);
    if (status != CUDA_SUCCESS) return status;
    CaptureTail& tail = capture->members.at(stream.stream.get()).tail;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) tail = {};
    for (const Dependency& each : found) tail.add(each.node->handle, each.data);
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies, std::size_t numDependencies,
                                               unsigned int flags) {
    return sim_cuStreamUpdateCaptureDependencies_v2(hStream, dependencies, nullptr, numDependencies, flags);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
