// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_store.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Creates the operation that parameters describe, for a node of `graph`, without further checks. Writes the outputs to
/// the parameters: the address of an allocation, the body graphs of a conditional node.
CUresult make_operation(CUgraphNodeParams& parameters, const Graph& graph, Operation& operation);

/// Creates and checks a new operation for an existing node. Returns an error for kinds whose parameters cannot change:
/// child graphs, allocations, frees and conditional nodes.
CUresult make_changed_operation(CUgraphNodeParams& parameters, const Node& node, Operation& operation);

/// Returns the parameters that describe an operation. Arrays in them are valid as long as the operation exists.
CUgraphNodeParams parameters_of(const Operation& operation);

}  // namespace CUBIND_NAMESPACE::sim
