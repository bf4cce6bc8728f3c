// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Calls `change(from, to, data)` for each edge, up to the first failure. Previous changes are not reverted.
template <class Change>
CUresult for_each_edge(const GraphCheck& graph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData* data,
                       std::size_t count, Change change) {
    if (count != 0 && (from == nullptr || to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = graph.store().nodes.find(from[i]);
        const auto second = graph.store().nodes.find(to[i]);
        const bool are_in_graph =
            first != nullptr && second != nullptr && &first->graph == graph.graph.get() && &second->graph == graph.graph.get();
        if (!are_in_graph) return CUDA_ERROR_INVALID_VALUE;
        if (const CUresult status = change(*first, *second, data != nullptr ? data[i] : CUgraphEdgeData{})) return status;
    }
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

// Cycles are detected when the graph is instantiated.
CUresult sim_cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                       const CUgraphEdgeData* edgeData, std::size_t numDependencies) {
    const Valid<GraphCheck> graph(hGraph);
    return for_each_edge(graph, from, to, edgeData, numDependencies, [&](Node& first, Node& second, const CUgraphEdgeData& data) {
        return graph->connect(first, second, data);
    });
}

CUresult sim_cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, std::size_t numDependencies) {
    return sim_cuGraphAddDependencies_v2(hGraph, from, to, nullptr, numDependencies);
}

CUresult sim_cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                          const CUgraphEdgeData* edgeData, std::size_t numDependencies) {
    const Valid<GraphCheck> graph(hGraph);
    if (graph->has_memory_nodes()) return CUDA_ERROR_NOT_SUPPORTED;
    return for_each_edge(graph, from, to, edgeData, numDependencies, [&](Node& first, Node& second, const CUgraphEdgeData& data) {
        return graph->disconnect(first, second, data);
    });
}

CUresult sim_cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                       std::size_t numDependencies) {
    return sim_cuGraphRemoveDependencies_v2(hGraph, from, to, nullptr, numDependencies);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
