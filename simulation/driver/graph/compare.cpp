// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/compare.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

using Positions = std::unordered_map<const Node*, std::size_t>;

Positions positions_of(const Graph& graph) {
    Positions positions;
    for (const auto& node : graph.nodes()) positions.emplace(node.get(), positions.size());
    return positions;
}

// Returns a dependency of `node` whose counterpart is no dependency of `other`, or null.
const Node* find_difference(const Node& node, const Positions& positions, const Node& other, const Positions& other_positions) {
    for (const Dependency& each : node.dependencies) {
        const bool is_shared = std::ranges::any_of(other.dependencies, [&](const Dependency& counterpart) {
            return other_positions.at(counterpart.node) == positions.at(each.node) &&
                   std::memcmp(&counterpart.data, &each.data, sizeof counterpart.data) == 0;
        });
        if (!is_shared) return each.node;
    }
    return nullptr;
}

}  // namespace

CUgraphExecUpdateResultInfo compare(const Graph& current, const Graph& next, const OperationMemory& memory) {
    if (current.nodes().size() != next.nodes().size()) return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr, nullptr};
    const Positions positions = positions_of(current);
    const Positions next_positions = positions_of(next);
    for (std::size_t i = 0; i < current.nodes().size(); ++i) {
        const Node& own = *current.nodes()[i];
        const Node& other = *next.nodes()[i];
        if (own.operation.index() != other.operation.index()) {
            return {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, other.handle, nullptr};
        }
        const Node* const added = find_difference(other, next_positions, own, positions);
        if (added != nullptr) return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, other.handle, added->handle};
        if (find_difference(own, positions, other, next_positions) != nullptr) {
            return {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, other.handle, nullptr};
        }
        if (!can_update_to(own.operation, other.operation, memory) || check(other.operation, memory) != CUDA_SUCCESS) {
            return {CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, other.handle, nullptr};
        }
        const auto own_graphs = graphs_in(own.operation);
        const auto other_graphs = graphs_in(other.operation);
        for (std::size_t k = 0; k < own_graphs.size(); ++k) {
            const CUgraphExecUpdateResultInfo inner = compare(*own_graphs[k], *other_graphs[k], memory);
            if (inner.result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return inner;
        }
    }
    return {CU_GRAPH_EXEC_UPDATE_SUCCESS, nullptr, nullptr};
}

void replace_operations(Graph& current, const Graph& next) {
    current.user_objects = copy(*next.user_objects);
    for (std::size_t i = 0; i < current.nodes().size(); ++i) {
        Node& own = *current.nodes()[i];
        const auto own_graphs = graphs_in(own.operation);
        const auto other_graphs = graphs_in(next.nodes()[i]->operation);
        if (own_graphs.empty()) own.operation = next.nodes()[i]->operation;
        for (std::size_t k = 0; k < own_graphs.size(); ++k) replace_operations(*own_graphs[k], *other_graphs[k]);
    }
}

}  // namespace CUBIND_NAMESPACE::sim
