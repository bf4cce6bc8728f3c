// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Creates the operation that parameters describe, for a node of `graph`, without further checks. Writes the outputs to
/// the parameters: the address of an allocation, the body graphs of a conditional node.
driver::CUresult make_operation(driver::CUgraphNodeParams& parameters, const Graph& graph, Operation& operation);

/// Creates and checks a new operation for an existing node. Returns an error for kinds whose parameters cannot change:
/// child graphs, allocations, frees and conditional nodes.
driver::CUresult make_changed_operation(driver::CUgraphNodeParams& parameters, const Node& node, Operation& operation);

/// Creates the launch that the parameters of a node describe, with these attributes, and checks it.
driver::CUresult make_kernel(const driver::CUDA_KERNEL_NODE_PARAMS_v3& requested,
                             std::vector<driver::CUlaunchAttribute> attributes, KernelOperation& operation);

}  // namespace CUBIND_NAMESPACE::sim
