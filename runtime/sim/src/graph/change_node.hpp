// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/add_node.hpp"
#include "graph/node_params.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Adds the node that the parameters describe.
CUresult add_node_from_parameters(const NewNode& position, CUgraphNodeParams& parameters);

/// Changes the parameters of a node. Its kind stays the same.
CUresult change_node(CUgraphNode handle, CUgraphNodeParams parameters);

/// Changes the parameters of a node in an executable graph. Returns an error for changes that require a new
/// instantiation.
CUresult change_executable(CUgraphExec handle, CUgraphNode node, CUgraphNodeParams parameters);

/// Reads the parameters of a node of one kind. `write_parameters(parameters)` writes them to the caller's output.
template <class Write>
CUresult read_node(CUgraphNode handle, CUgraphNodeType type, Write write_parameters) {
    const NodeCheck node(handle);
    if (node.failed()) return node.status;
    return type_of(node->operation) == type ? write_parameters(parameters_of(node->operation)) : CUDA_ERROR_INVALID_VALUE;
}

/// Returns zeroed parameters of one kind.
inline CUgraphNodeParams parameters_for(CUgraphNodeType type) {
    CUgraphNodeParams parameters{};
    parameters.type = type;
    return parameters;
}

}  // namespace CUBIND_NAMESPACE::sim
