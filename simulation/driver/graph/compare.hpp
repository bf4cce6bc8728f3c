// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Checks whether an executable graph can be updated from another graph. Nodes correspond in the order of their
/// creation.
driver::CUgraphExecUpdateResultInfo compare(const Graph& current, const Graph& next, const OperationMemory& memory);

/// Replaces the operation of each node by that of the corresponding node. compare() must have succeeded.
void replace_operations(Graph& current, const Graph& next);

}  // namespace CUBIND_NAMESPACE::sim
