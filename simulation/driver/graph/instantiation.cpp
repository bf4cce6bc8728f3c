// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/instantiation.hpp"

#include <algorithm>

#include "graph/node_rules.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Checks whether a graph for launches by the device may contain the node: kernels, copies and fills.
bool can_be_launched_by_device(const Node& node) {
    const CUgraphNodeType type = type_of(node.operation);
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
}

InstantiationProblem find_cycle(const Graph& graph) {
    std::vector<Node*> ordered;
    if (!graph.order(ordered)) {
        const auto stuck = std::ranges::find_if(
            graph.nodes(), [&](const auto& node) { return std::ranges::find(ordered, node.get()) == ordered.end(); });
        return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE, (*stuck)->handle};
    }
    for (const auto& node : graph.nodes()) {
        for (const auto& inner : graphs_in(node->operation)) {
            if (const InstantiationProblem problem = find_cycle(*inner); problem.status != CUDA_SUCCESS) return problem;
        }
    }
    return {};
}

InstantiationProblem find_invalid_node(const Graph& graph, const OperationMemory& memory, bool for_device) {
    InstantiationProblem problem;
    graph.for_each_node([&](const Node& node) {
        if (problem.status != CUDA_SUCCESS) return;
        if ((for_device && !can_be_launched_by_device(node)) || check_supported(node.graph, node.operation) != CUDA_SUCCESS) {
            problem = {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED, node.handle};
        } else if (const CUresult status = check(node.operation, memory)) {
            problem = {status, CUDA_GRAPH_INSTANTIATE_ERROR, node.handle};
        }
    });
    return problem;
}

bool has_unused_condition(const Graph& graph, const GraphStore& store) {
    return std::ranges::any_of(
        store.conditions, [&](const auto& entry) { return entry.second->graph == graph.handle && !graph.uses(*entry.second); });
}

}  // namespace

InstantiationProblem find_problem(const Graph& graph, const GraphStore& store, cuuint64_t flags) {
    const bool for_device = (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0;
    if (for_device && graph.nodes().empty()) return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr};
    if (const InstantiationProblem problem = find_cycle(graph); problem.status != CUDA_SUCCESS) return problem;
    if (const InstantiationProblem problem = find_invalid_node(graph, store.memory, for_device); problem.status != CUDA_SUCCESS)
        return problem;
    if (has_unused_condition(graph, store))
        return {CUDA_ERROR_INVALID_VALUE, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED, nullptr};
    const bool is_in_use = !graph.executable.expired() && is_single_instance(graph);
    return is_in_use ? InstantiationProblem{CUDA_ERROR_NOT_SUPPORTED, CUDA_GRAPH_INSTANTIATE_ERROR, nullptr}
                     : InstantiationProblem{};
}

}  // namespace CUBIND_NAMESPACE::sim
