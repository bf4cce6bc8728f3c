// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/graph/change_node.hpp"

/// Functions for one kind of node, which have a record of their own instead of CUgraphNodeParams.
namespace CUBIND_NAMESPACE::sim {

/// Return the parameters that a record describes.
driver::CUgraphNodeParams parameters_of(const driver::CUDA_KERNEL_NODE_PARAMS& record);
driver::CUgraphNodeParams parameters_of(const driver::CUDA_KERNEL_NODE_PARAMS_v1& record);
driver::CUgraphNodeParams parameters_of(const driver::CUDA_HOST_NODE_PARAMS& record);
driver::CUgraphNodeParams parameters_of(const driver::CUDA_BATCH_MEM_OP_NODE_PARAMS& record);
driver::CUgraphNodeParams parameters_of(const driver::CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& record);
driver::CUgraphNodeParams parameters_of(const driver::CUDA_EXT_SEM_WAIT_NODE_PARAMS& record);

// Each of these returns CUDA_ERROR_INVALID_VALUE if the record is null.

/// Adds the node that a record describes.
template <class Record>
driver::CUresult add_node_from_record(const NewNode& position, const Record* record) {
    if (record == nullptr) return driver::CUDA_ERROR_INVALID_VALUE;
    driver::CUgraphNodeParams parameters = parameters_of(*record);
    return add_node_from_parameters(position, parameters);
}

/// Changes a node to what a record describes.
template <class Record>
driver::CUresult change_node_to_record(driver::CUgraphNode node, const Record* record) {
    return record != nullptr ? change_node(node, parameters_of(*record)) : driver::CUDA_ERROR_INVALID_VALUE;
}

/// Changes a node of an executable graph to what a record describes.
template <class Record>
driver::CUresult change_executable_to_record(driver::CUgraphExec graph, driver::CUgraphNode node, const Record* record) {
    return record != nullptr ? change_executable(graph, node, parameters_of(*record)) : driver::CUDA_ERROR_INVALID_VALUE;
}

}  // namespace CUBIND_NAMESPACE::sim
