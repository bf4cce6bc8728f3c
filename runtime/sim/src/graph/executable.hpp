// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "graph/graph.hpp"
#include "stream/stream_check.hpp"

namespace cubind::sim {

/// A copy of a graph that can be launched. Guarded by the lock of graphs.
class GraphExec {
public:
    GraphExec(CUgraphExec own_handle, cuuint64_t own_flags, std::shared_ptr<Graph> copy);

    /// Its own node for one of the graph that it was made of; null where there is none.
    Node* find(CUgraphNode original) const;
    /// Has everything done in the stream's turn, and after its former launches.
    CUresult launch(const StreamCheck& stream);
    /// Takes the operations of a graph of the same shape. The result says what is in the way, if anything.
    CUgraphExecUpdateResultInfo update(const Graph& next);

    const CUgraphExec handle;
    const cuuint64_t flags;
    const std::shared_ptr<Graph> graph;

private:
    std::unordered_map<CUgraphNode, Node*> nodes_;
    Ticket last_;
};

}  // namespace cubind::sim
