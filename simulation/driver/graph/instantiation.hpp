// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The reason why a graph cannot be instantiated.
struct InstantiationProblem {
    driver::CUresult status = driver::CUDA_SUCCESS;
    driver::CUgraphInstantiateResult result = driver::CUDA_GRAPH_INSTANTIATE_SUCCESS;
    driver::CUgraphNode node = nullptr;
};

/// Checks whether the graph can be instantiated with these flags.
InstantiationProblem find_problem(const Graph& graph, const GraphStore& store, driver::cuuint64_t flags);

}  // namespace CUBIND_NAMESPACE::sim
