// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "graph/graph.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

class GraphExec;
struct Capture;

/// All graphs of a machine, their executable graphs, and the captures in progress. One lock guards them all: building
/// graphs is rare, and launches do not need the lock once they are planned.
struct GraphStore {
    /// `map` has all allocations of the machine.
    explicit GraphStore(MemoryMap& map) : memory{map, memories} {}
    ~GraphStore() { clear(); }
    GraphStore(const GraphStore&) = delete;
    GraphStore& operator=(const GraphStore&) = delete;

    /// Removes everything. No other thread may use graphs during the call.
    void clear();

    /// Creates a graph and registers it.
    std::shared_ptr<Graph> add_graph(int depth, bool is_conditional);
    /// Makes the graph part of a node: the returned pointer removes its handle when the last copy is destroyed.
    std::shared_ptr<Graph> adopt(const std::shared_ptr<Graph>& graph);

    /// Returns the condition of a graph that exists, or null.
    std::shared_ptr<Condition> find_condition(driver::CUgraphConditionalHandle handle) const;
    /// Returns a condition, also if its graph was destroyed and only executable graphs use it. Returns null if there is none.
    std::shared_ptr<Condition> find_used_condition(driver::CUgraphConditionalHandle handle) const;
    /// Returns whether the graph has conditions, even if no node uses them.
    bool has_conditions_of(driver::CUgraph graph) const;
    /// Removes the conditions of a graph. Executable graphs continue to use them.
    void remove_conditions_of(driver::CUgraph graph);

    std::mutex mutex;
    Registry<driver::CUgraph, Graph> graphs;
    Registry<driver::CUgraphNode, Node> nodes;
    Registry<driver::CUgraphExec, GraphExec> executables;
    Registry<driver::CUuserObject, UserObject> user_objects;
    std::map<driver::CUgraphConditionalHandle, std::shared_ptr<Condition>> conditions;
    std::map<driver::CUgraphConditionalHandle, std::weak_ptr<Condition>> removed_conditions;  ///< of graphs that were destroyed
    GraphMemories memories;
    const OperationMemory memory;  ///< for checks of operations
    std::vector<std::shared_ptr<Capture>> captures;
    std::atomic<bool> has_captures{false};  ///< whether `captures` is not empty, for calls without the lock
    const std::shared_ptr<WorkQueue> destructors = std::make_shared<WorkQueue>();  ///< runs the destructors of user objects
};

/// Replaces the inner graphs of an operation, if there are any, by copies.
driver::CUresult copy_inner_graphs(Operation& operation, GraphStore* store, int depth, bool is_conditional);

}  // namespace CUBIND_NAMESPACE::sim
