// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return call_in_context(cuStreamBeginCapture_v2, driver_stream(stream), mode);
}

cudaError_t sim_cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                              const cudaGraphEdgeData* dependencyData, std::size_t numDependencies,
                                              cudaStreamCaptureMode mode) {
    return call_in_context(cuStreamBeginCaptureToGraph, driver_stream(stream), graph, dependencies, dependencyData,
                           numDependencies, mode);
}

cudaError_t sim_cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* pGraph) {
    return call_in_context(cuStreamEndCapture, driver_stream(stream), pGraph);
}

cudaError_t sim_cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus) {
    return call_in_context(cuStreamIsCapturing, driver_stream(stream), pCaptureStatus);
}

cudaError_t sim_cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* captureStatus_out,
                                         unsigned long long* id_out, cudaGraph_t* graph_out,
                                         const cudaGraphNode_t** dependencies_out, const cudaGraphEdgeData** edgeData_out,
                                         std::size_t* numDependencies_out) {
    return call_in_context(cuStreamGetCaptureInfo_v3, driver_stream(stream), captureStatus_out, id_out, graph_out,
                           dependencies_out, edgeData_out, numDependencies_out);
}

cudaError_t sim_cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                    const cudaGraphEdgeData* dependencyData, std::size_t numDependencies,
                                                    unsigned int flags) {
    return call_in_context(cuStreamUpdateCaptureDependencies_v2, driver_stream(stream), dependencies, dependencyData,
                           numDependencies, flags);
}

cudaError_t sim_cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return call_in_context(cuThreadExchangeStreamCaptureMode, mode);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
