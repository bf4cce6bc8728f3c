// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/graph/graph_position.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <memory>
#include <utility>

#include "graph/graph_work.hpp"
#include "graph/node_records.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The state of a definition, which the views of its nodes and of the graphs within its nodes share.
class CUBIND_EXPORT DefinitionState {
public:
    DefinitionState(driver::CUgraph graph, ContextRef context) noexcept : graph_(graph), context_(context) {}
    /// Creates the state of a graph that has nodes. `captured` contains the objects that they use, if cubind knows them.
    static std::unique_ptr<DefinitionState> of_graph(driver::CUgraph graph, ContextRef context,
                                                     std::shared_ptr<const RetainedObjects> captured = nullptr);

    driver::CUgraph graph() const noexcept { return graph_; }
    void set_graph(driver::CUgraph graph) noexcept { graph_ = graph; }
    ContextRef context() const noexcept { return context_; }

    /// Returns whether nodes were added that allocate or free memory. The driver does not remove nodes of such a graph.
    bool has_memory_nodes() const noexcept { return has_memory_nodes_; }
    void note_memory_node() noexcept { has_memory_nodes_ = true; }

    /// Calls add(), which adds a node in the definition's context and returns it, and stores the record of the node. If add()
    /// throws, nothing is stored.
    template <class Add>
    driver::CUgraphNode add(NodeRecord record, const Add& add) {
        return add_shared(std::make_shared<const NodeRecord>(std::move(record)), add);
    }
    /// Does the same with a record that add() completes.
    template <class Add>
    driver::CUgraphNode add_shared(NodeRecordPointer record, const Add& add) {
        NodeRecords::Entry entry = prepare(std::move(record));
        const ScopedContext scope(context_);
        const driver::CUgraphNode node = add();
        records_.put(node, std::move(entry));
        return node;
    }

    /// Calls change(), which changes the node in the definition's context, and replaces the record of the node.
    template <class Change>
    void update(driver::CUgraphNode node, NodeRecord record, const Change& change) {
        add(std::move(record), [&] {
            change();
            return node;
        });
    }

    NodeRecordPointer record(driver::CUgraphNode node) const noexcept { return records_.find(node); }
    /// Stores a record without a driver call.
    void put_record(driver::CUgraphNode node, NodeRecordPointer record) {
        records_.put(node, records_.prepare(std::move(record)));
    }
    const NodeRecords& records() const noexcept { return records_; }
    void erase_record(driver::CUgraphNode node) noexcept { records_.erase(node); }

    /// Returns the objects that a graph instantiated now uses.
    GraphObjects objects() const { return {captured_, records_}; }
    /// Returns one list of the objects of all nodes.
    ObjectList all_objects() const;

    /// Makes the graph, and all graphs that the driver creates from it, retain the objects of all nodes, also of nodes that are
    /// added later (cuGraphRetainUserObject).
    void retain_in_graph();

private:
    NodeRecords::Entry prepare(NodeRecordPointer record);

    driver::CUgraph graph_;
    ContextRef context_;
    std::shared_ptr<const RetainedObjects> captured_;
    NodeRecords records_;
    bool has_memory_nodes_ = false;
    bool is_retained_in_graph_ = false;
};

/// Access to the state of a definition through a view of one of its nodes. Only cubind's own sources use it.
struct NodeAccess {
    /// Throws std::invalid_argument for an empty definition.
    static DefinitionState& state(const GraphPosition& position) { return position.place().state; }
    static driver::CUgraph graph(const GraphPosition& position) noexcept { return position.graph_; }
};

/// Throws the error of a call that failed to put a graph into a node.
void check_embedded(Result<driver::CUresult> embedded);

/// Returns the context of the definition, in which its kernels, copies and fills run.
inline driver::CUcontext context_of(const GraphPlace& place) {
    return place.state.context().native_handle();
}

}  // namespace CUBIND_NAMESPACE::detail
