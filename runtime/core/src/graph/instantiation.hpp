// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/graph/graph_builder.hpp>

#include <string>

#include "graph/graph_work.hpp"

/// What captured and explicit graphs have in common.
namespace CUBIND_NAMESPACE::detail {

/// Returns an executable graph that retains the objects (cuGraphInstantiateWithParams).
[[nodiscard]] Graph instantiate(driver::CUgraph graph, ContextRef context, GraphObjects objects,
                                const GraphCompleteOptions& options);

/// Writes the graph to a file (cuGraphDebugDotPrint).
void print_dot(driver::CUgraph graph, const std::string& path, const GraphDebugPrintOptions& options);

/// Access to the state of a Graph. Only cubind's own sources use it.
struct GraphAccess {
    /// Returns the state, or nullptr for the view of a graph that cubind does not own.
    static GraphState* state(GraphRef graph) noexcept { return graph.state_; }
    static Graph make(driver::CUgraphExec handle, GraphState* state) noexcept { return Graph(handle, state); }
};

/// Returns the work of a graph that cubind owns. Throws std::invalid_argument for another graph.
[[nodiscard]] CUBIND_EXPORT GraphWork& work_of(GraphRef graph);

}  // namespace CUBIND_NAMESPACE::detail
