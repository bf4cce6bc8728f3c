// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "graph/graph.hpp"
#include "support/registry.hpp"

namespace cubind::sim {

class GraphExec;
struct Capture;

/// All graphs of a machine, what was made of them, and the captures under way. One lock guards them: graphs are built rarely, and
/// their launches, once planned, need it no more.
struct GraphStore {
    GraphStore() = default;
    ~GraphStore() { clear(); }
    GraphStore(const GraphStore&) = delete;
    GraphStore& operator=(const GraphStore&) = delete;

    /// Forgets everything. Nobody may use graphs meanwhile.
    void clear();

    std::shared_ptr<Graph> add_graph(int depth, bool is_conditional);
    /// The graph belongs to a node: once nobody has the pointer any more, its handle is none.
    std::shared_ptr<Graph> adopt(const std::shared_ptr<Graph>& graph);

    void remember(const std::shared_ptr<GraphMemory>& memory);
    /// The memory that begins there, null if none does.
    std::shared_ptr<GraphMemory> find_memory(CUdeviceptr address) const;
    /// Whether all these bytes are of one allocation node.
    bool is_graph_memory(std::uintptr_t address, std::size_t bytes) const;

    std::shared_ptr<Condition> find_condition(CUgraphConditionalHandle handle) const;

    std::mutex mutex;
    Registry<CUgraph, Graph> graphs;
    Registry<CUgraphNode, Node> nodes;
    Registry<CUgraphExec, GraphExec> executables;
    Registry<CUuserObject, UserObject> user_objects;
    std::map<CUgraphConditionalHandle, std::shared_ptr<Condition>> conditions;
    std::map<std::uintptr_t, std::weak_ptr<GraphMemory>> memories;
    std::vector<std::shared_ptr<Capture>> captures;
    std::atomic<bool> has_captures{false};                                         ///< the same, for calls that have no lock
    const std::shared_ptr<WorkQueue> destructors = std::make_shared<WorkQueue>();  ///< calls those of user objects
};

/// Makes copies of the graphs within an operation, whatever it is.
CUresult copy_inner_graphs(Operation& operation, GraphStore* store, int depth, bool is_conditional);

}  // namespace cubind::sim
