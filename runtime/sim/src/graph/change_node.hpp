// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/add_node.hpp"
#include "graph/node_params.hpp"

namespace cubind::sim {

/// Adds the node that the parameters describe.
CUresult add_described(const NewNode& where, CUgraphNodeParams& parameters);

/// Gives a node other parameters of its kind.
CUresult change_node(CUgraphNode handle, CUgraphNodeParams parameters);

/// Gives an executable graph's node other parameters, as far as what is executable can take them.
CUresult change_executable(CUgraphExec handle, CUgraphNode node, CUgraphNodeParams parameters);

/// The parameters of a node of one kind; `give_parameters(parameters)` gives them to the caller.
template <class Give>
CUresult read_node(CUgraphNode handle, CUgraphNodeType type, Give give_parameters) {
    const NodeCheck node(handle);
    if (node.failed()) return node.status;
    return type_of(node->operation) == type ? give_parameters(parameters_of(node->operation)) : CUDA_ERROR_INVALID_VALUE;
}

/// Parameters of one kind, all others zero.
inline CUgraphNodeParams parameters_for(CUgraphNodeType type) {
    CUgraphNodeParams parameters{};
    parameters.type = type;
    return parameters;
}

}  // namespace cubind::sim
