// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Checks whether a graph cannot be cloned or instantiated twice, because its memory has fixed addresses or its conditional
/// handles have one value each.
bool is_single_instance(const Graph& graph);

/// Checks whether a graph with the operation can be instantiated.
driver::CUresult check_supported(const Graph& graph, const Operation& operation);
/// Checks whether the operation can be added to a graph. Some operations can be added but not instantiated.
driver::CUresult check_addable(const Graph& graph, const Operation& operation);

/// Finds nodes of a graph by their handles. Returns CUDA_ERROR_INVALID_VALUE for nodes that the graph does not contain,
/// and for duplicates.
driver::CUresult find_dependencies(const GraphStore& store, const Graph& graph, const driver::CUgraphNode* handles,
                                   const driver::CUgraphEdgeData* edges, std::size_t count, std::vector<Dependency>& found);

/// Creates the free of memory that a node of another or the same graph allocates. Returns CUDA_ERROR_INVALID_VALUE if the graph
/// has a node that frees the memory.
driver::CUresult make_free(const GraphStore& store, const Graph& graph, driver::CUdeviceptr address, FreeOperation& operation);

}  // namespace CUBIND_NAMESPACE::sim
