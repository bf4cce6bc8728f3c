// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_rules.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

bool is_single_instance(const Graph& graph) {
    bool is_single = graph.has_memory_nodes();
    graph.for_each_node([&](const Node& node) { is_single |= std::holds_alternative<ConditionalOperation>(node.operation); });
    return is_single;
}

CUresult check_supported(const Graph& graph, const Operation& operation) {
    if (!graph.is_conditional) return CUDA_SUCCESS;
    switch (type_of(operation)) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
        case CU_GRAPH_NODE_TYPE_MEMCPY:
        case CU_GRAPH_NODE_TYPE_MEMSET:
        case CU_GRAPH_NODE_TYPE_EMPTY:
        case CU_GRAPH_NODE_TYPE_GRAPH:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return CUDA_SUCCESS;
        default:
            return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult check_addable(const Graph& graph, const Operation& operation) {
    switch (type_of(operation)) {
        case CU_GRAPH_NODE_TYPE_HOST:
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return CUDA_SUCCESS;
        default:
            return check_supported(graph, operation);
    }
}

CUresult find_dependencies(const GraphStore& store, const Graph& graph, const CUgraphNode* handles, const CUgraphEdgeData* edges,
                           std::size_t count, std::vector<Dependency>& found) {
    if (count != 0 && handles == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
        const auto node = store.nodes.find(handles[i]);
        if (node == nullptr || &node->graph != &graph) return CUDA_ERROR_INVALID_VALUE;
        if (std::ranges::any_of(found, [&](const Dependency& each) { return each.node == node.get(); }))
            return CUDA_ERROR_INVALID_VALUE;
        found.push_back({node.get(), edges != nullptr ? edges[i] : CUgraphEdgeData{}});
    }
    return CUDA_SUCCESS;
}

CUresult make_free(const GraphStore& store, const Graph& graph, CUdeviceptr address, FreeOperation& operation) {
    const bool is_freed = std::ranges::any_of(graph.nodes(), [&](const auto& node) {
        const auto* const free = std::get_if<FreeOperation>(&node->operation);
        return free != nullptr && free->memory->base == address;
    });
    if (is_freed) return CUDA_ERROR_INVALID_VALUE;
    operation.memory = store.memories.find(address);
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
