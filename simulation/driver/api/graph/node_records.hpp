// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/graph/change_node.hpp"

/// Functions for one kind of node, which have a record of their own instead of CUgraphNodeParams.
namespace CUBIND_NAMESPACE::sim {

/// Return the parameters that a record describes.
CUgraphNodeParams parameters_of(const CUDA_KERNEL_NODE_PARAMS& record);
CUgraphNodeParams parameters_of(const CUDA_KERNEL_NODE_PARAMS_v1& record);
CUgraphNodeParams parameters_of(const CUDA_HOST_NODE_PARAMS& record);
CUgraphNodeParams parameters_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& record);
CUgraphNodeParams parameters_of(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& record);
CUgraphNodeParams parameters_of(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& record);

// Each of these returns CUDA_ERROR_INVALID_VALUE if the record is null.

/// Adds the node that a record describes.
template <class Record>
CUresult add_node_from_record(const NewNode& position, const Record* record) {
    if (record == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams parameters = parameters_of(*record);
    return add_node_from_parameters(position, parameters);
}

/// Changes a node to what a record describes.
template <class Record>
CUresult change_node_to_record(CUgraphNode node, const Record* record) {
    return record != nullptr ? change_node(node, parameters_of(*record)) : CUDA_ERROR_INVALID_VALUE;
}

/// Changes a node of an executable graph to what a record describes.
template <class Record>
CUresult change_executable_to_record(CUgraphExec graph, CUgraphNode node, const Record* record) {
    return record != nullptr ? change_executable(graph, node, parameters_of(*record)) : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace CUBIND_NAMESPACE::sim
