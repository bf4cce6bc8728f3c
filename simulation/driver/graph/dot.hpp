// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "graph/graph.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Writes the graph in the language of Graphviz. `has_handles` adds the handles of the nodes to their labels.
void write_dot(std::ostream& out, const Graph& graph, bool has_handles);

}  // namespace CUBIND_NAMESPACE::sim
