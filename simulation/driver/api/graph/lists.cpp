// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

struct Edge {
    CUgraphNode from;
    CUgraphNode to;
    CUgraphEdgeData data;
};

/// Writes at most `count` items by `write(index, item)`, and empty items to the rest of the caller's array. Without an
/// array, writes the number of items to `count`.
template <class Item, class Write>
CUresult list(const std::vector<Item>& items, bool has_array, std::size_t* count, Write write) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!has_array) return write_output(count, items.size());
    for (std::size_t i = 0; i < *count; ++i) write(i, i < items.size() ? items[i] : Item{});
    *count = std::min(*count, items.size());
    return CUDA_SUCCESS;
}

template <class Selects>
CUresult list_nodes(CUgraph handle, CUgraphNode* nodes, std::size_t* count, Selects selects) {
    const Valid<GraphCheck> graph(handle);
    std::vector<CUgraphNode> selected;
    for (const auto& node : graph->nodes()) {
        if (selects(*node)) selected.push_back(node->handle);
    }
    return list(selected, nodes != nullptr, count, [&](std::size_t i, CUgraphNode node) { nodes[i] = node; });
}

bool is_plain(const CUgraphEdgeData& data) noexcept {
    return data.from_port == 0 && data.to_port == 0 && data.type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT;
}

// Checks whether edges have data that the caller would miss, because it passes no array for edge data.
bool is_lossy(const std::vector<Dependency>& ends, const void* place, const CUgraphEdgeData* edges) {
    return place != nullptr && edges == nullptr && !std::ranges::all_of(ends, is_plain, &Dependency::data);
}

CUresult list_ends(const std::vector<Dependency>& ends, CUgraphNode* nodes, CUgraphEdgeData* edges, std::size_t* count) {
    if (is_lossy(ends, nodes, edges)) return CUDA_ERROR_LOSSY_QUERY;
    std::vector<Edge> all;
    for (const Dependency& each : ends) all.push_back({each.node->handle, nullptr, each.data});
    return list(all, nodes != nullptr, count, [&](std::size_t i, const Edge& edge) {
        nodes[i] = edge.from;
        if (edges != nullptr) edges[i] = edge.data;
    });
}

}  // namespace

extern "C" {

CUresult sim_cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, std::size_t* numNodes) {
    return list_nodes(hGraph, nodes, numNodes, [](const Node&) { return true; });
}

CUresult sim_cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, std::size_t* numRootNodes) {
    return list_nodes(hGraph, rootNodes, numRootNodes, [](const Node& node) { return node.dependencies.empty(); });
}

CUresult sim_cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edgeData,
                                std::size_t* numEdges) {
    const Valid<GraphCheck> graph(hGraph);
    if ((from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    std::vector<Edge> edges;
    for (const auto& node : graph->nodes()) {
        if (is_lossy(node->dependents, from, edgeData)) return CUDA_ERROR_LOSSY_QUERY;
        for (const Dependency& each : node->dependents) edges.push_back({node->handle, each.node->handle, each.data});
    }
    return list(edges, from != nullptr, numEdges, [&](std::size_t i, const Edge& edge) {
        from[i] = edge.from;
        to[i] = edge.to;
        if (edgeData != nullptr) edgeData[i] = edge.data;
    });
}

CUresult sim_cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, std::size_t* numEdges) {
    return sim_cuGraphGetEdges_v2(hGraph, from, to, nullptr, numEdges);
}

CUresult sim_cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode* dependencies, CUgraphEdgeData* edgeData,
                                           std::size_t* numDependencies) {
    const Valid<NodeCheck> node(hNode);
    return list_ends(node->dependencies, dependencies, edgeData, numDependencies);
}

CUresult sim_cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies, std::size_t* numDependencies) {
    return sim_cuGraphNodeGetDependencies_v2(hNode, dependencies, nullptr, numDependencies);
}

CUresult sim_cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode* dependentNodes, CUgraphEdgeData* edgeData,
                                             std::size_t* numDependentNodes) {
    const Valid<NodeCheck> node(hNode);
    return list_ends(node->dependents, dependentNodes, edgeData, numDependentNodes);
}

CUresult sim_cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes, std::size_t* numDependentNodes) {
    return sim_cuGraphNodeGetDependentNodes_v2(hNode, dependentNodes, nullptr, numDependentNodes);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
