// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "graph/graph.hpp"
#include "objects/stream/stream.hpp"

namespace CUBIND_NAMESPACE::sim {

/// An instantiated copy of a graph. Guarded by the lock of graphs.
class GraphExec {
public:
    GraphExec(CUgraphExec own_handle, cuuint64_t own_flags, std::shared_ptr<Graph> copy);

    /// Returns the node that corresponds to a node of the original graph, or null.
    Node* find(CUgraphNode original) const;
    /// Submits all operations to the stream. They start after previous launches of this executable graph have ended.
    CUresult launch(Stream& stream);
    /// Replaces all operations by those of a graph with the same topology. If that is not possible, the result
    /// contains the reason.
    CUgraphExecUpdateResultInfo update(const Graph& next, const OperationMemory& memory);

    const CUgraphExec handle;
    const cuuint64_t flags;
    const std::shared_ptr<Graph> graph;

private:
    /// Plans a launch and submits it. If that fails, the caller rolls the plan back.
    CUresult submit(Stream& stream, Plan& plan);

    std::unordered_map<CUgraphNode, Node*> nodes_;
    Ticket last_;
};

}  // namespace CUBIND_NAMESPACE::sim
