// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.hpp"

namespace cubind::sim {

/// Whether a graph can take another's place in what is executable already; nodes correspond in the order of their creation.
CUgraphExecUpdateResultInfo compare(const Graph& now, const Graph& next);

/// Gives each node what the corresponding one of a graph that compares well does.
void take_operations(Graph& now, const Graph& next);

}  // namespace cubind::sim
