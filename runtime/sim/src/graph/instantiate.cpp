// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "capture/unsafe_call.hpp"
#include "graph/add_node.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr cuuint64_t known_flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                   CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

/// The reason why a graph cannot be instantiated.
struct Problem {
    CUresult status = CUDA_SUCCESS;
    CUgraphInstantiateResult result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    CUgraphNode node = nullptr;
};

// Checks whether a graph for launches by the device may contain the node: kernels, copies and fills.
bool can_be_launched_by_device(const Node& node) {
    const CUgraphNodeType type = type_of(node.operation);
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
}

Problem find_cycle(const Graph& graph) {
    std::vector<Node*> ordered;
    if (!graph.order(ordered)) {
        const auto stuck = std::ranges::find_if(
            graph.nodes(), [&](const auto& node) { return std::ranges::find(ordered, node.get()) == ordered.end(); });
        return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, (*stuck)->handle};
    }
    for (const auto& node : graph.nodes()) {
        for (const auto& inner : graphs_in(node->operation)) {
            if (const Problem problem = find_cycle(*inner); problem.status != CUDA_SUCCESS) return problem;
        }
    }
    return {};
}

Problem find_invalid_node(const Graph& graph, bool for_device) {
    Problem problem;
    graph.for_each_node([&](const Node& node) {
        if (problem.status != CUDA_SUCCESS) return;
        if ((for_device && !can_be_launched_by_device(node)) || check_supported(node.graph, node.operation) != CUDA_SUCCESS) {
            problem = {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, node.handle};
        } else if (const CUresult status = check(node.operation)) {
            problem = {status, CUDA_GRAPH_INSTANTIATE_ERROR, node.handle};
        }
    });
    return problem;
}

bool has_unused_condition(const Graph& graph, const GraphStore& store) {
    return std::ranges::any_of(
        store.conditions, [&](const auto& entry) { return entry.second->graph == graph.handle && !graph.uses(*entry.second); });
}

Problem find_problem(const Graph& graph, const GraphStore& store, cuuint64_t flags) {
    const bool for_device = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0;
    if (for_device && graph.nodes().empty()) return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr};
    if (const Problem problem = find_cycle(graph); problem.status != CUDA_SUCCESS) return problem;
    if (const Problem problem = find_invalid_node(graph, for_device); problem.status != CUDA_SUCCESS) return problem;
    if (has_unused_condition(graph, store))
        return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, nullptr};
    const bool is_in_use = !graph.executable.expired() && is_single_instance(graph);
    return is_in_use ? Problem{CUDA_ERROR_NOT_SUPPORTED, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr} : Problem{};
}

Problem instantiate(CUgraphExec* out, CUgraph handle, cuuint64_t flags) {
    const auto failure = [](CUresult status) { return Problem{status, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr}; };
    const CurrentCheck context;
    if (context.failed()) return failure(context.status);
    if (const CUresult status = check_unsafe_call()) return failure(status);
    const GraphCheck graph(handle);
    if (graph.failed()) return failure(graph.status);
    if (out == nullptr || (flags & ~known_flags) != 0) return failure(CUDA_ERROR_INVALID_VALUE);
    if (const Problem problem = find_problem(*graph, graph.store(), flags); problem.status != CUDA_SUCCESS) return problem;
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
    const Problem problem = instantiate(phGraphExec, hGraph, instantiateParams->flags);
    instantiateParams->result_out = problem.result;
    instantiateParams->hErrNode_out = problem.node;
    if (problem.status != CUDA_SUCCESS || !uploads) return problem.status;
    return sim_cuGraphUpload(*phGraphExec, instantiateParams->hUploadStream);
}

// The log is always empty.
CUresult sim_cuGraphInstantiate_v2(CUgraphExec* phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer,
                                   std::size_t bufferSize) {
    const Problem problem = instantiate(phGraphExec, hGraph, 0);
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
