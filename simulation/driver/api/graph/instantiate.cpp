// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "graph/instantiation.hpp"
#include "machine/graph_check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr cuuint64_t known_flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

InstantiationProblem instantiate(CUgraphExec* out, CUgraph handle, cuuint64_t flags) {
    const auto failure = [](CUresult status) { return InstantiationProblem{status, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr}; };
    const CurrentCheck context;
    if (context.failed()) return failure(context.status);
    if (const CUresult status = check_unsafe_call()) return failure(status);
    const GraphCheck graph(handle);
    if (graph.failed()) return failure(graph.status);
    if (out == nullptr || (flags & ~known_flags) != 0) return failure(CUDA_ERROR_INVALID_VALUE);
    if (const InstantiationProblem problem = find_problem(*graph, graph.store(), flags); problem.status != CUDA_SUCCESS)
        return problem;
    std::shared_ptr<Graph> copy;
    if (const CUresult status = graph->copy(nullptr, nullptr, 0, graph->is_conditional, copy)) return failure(status);
    const auto executable = add_new(graph.store().executables, flags, std::move(copy));
    graph->executable = executable;
    *out = executable->handle;
    return {};
}

}  // namespace

extern "C" {

CUresult sim_cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags) {
    // An upload requires a stream, which this function does not have.
    if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0) return CUDA_ERROR_INVALID_VALUE;
    return instantiate(phGraphExec, hGraph, flags).status;
}

CUresult sim_cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                          CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
    if (instantiateParams == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const bool uploads = (instantiateParams->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0;
    const InstantiationProblem problem = instantiate(phGraphExec, hGraph, instantiateParams->flags);
    instantiateParams->result_out = problem.result;
    instantiateParams->hErrNode_out = problem.node;
    if (problem.status != CUDA_SUCCESS || !uploads) return problem.status;
    return sim_cuGraphUpload(*phGraphExec, instantiateParams->hUploadStream);
}

// The log is always empty.
CUresult sim_cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer,
                                   std::size_t bufferSize) {
    const InstantiationProblem problem = instantiate(phGraphExec, hGraph, 0);
    if (phErrorNode != nullptr) *phErrorNode = problem.node;
    if (logBuffer != nullptr && bufferSize != 0) logBuffer[0] = '\0';
    return problem.status;
}

CUresult sim_cuGraphInstantiate(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer,
                                std::size_t bufferSize) {
    return sim_cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
