// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph_store.hpp"

namespace cubind::sim {

/// The operation that the parameters of a node describe, for a node of `graph`. Writes what the driver adds: the address of an
/// allocation, the graphs of a conditional node. Not yet checked.
CUresult make_operation(CUgraphNodeParams& parameters, const Graph& graph, Operation& operation);

/// The same for a node that is there, whose operation changes: those kinds that are more than their parameters cannot.
CUresult make_change(CUgraphNodeParams& parameters, const Node& node, Operation& operation);

/// The parameters that describe an operation. Arrays in them live as long as the operation does.
CUgraphNodeParams parameters_of(const Operation& operation);

}  // namespace cubind::sim
