// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/definition_state.hpp"

#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "calls/graph_retention.hpp"
#include "graph/node_lists.hpp"

namespace CUBIND_NAMESPACE::detail {

std::unique_ptr<DefinitionState> DefinitionState::of_graph(driver::CUgraph graph, ContextRef context,
                                                           std::shared_ptr<const RetainedObjects> captured) {
    auto state = std::make_unique<DefinitionState>(graph, context);
    state->captured_ = std::move(captured);
    for (const driver::CUgraphNode node : nodes_of(graph)) {
        const driver::CUgraphNodeType type = check(driver::cuGraphNodeGetType(node));
        if (type == driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == driver::CU_GRAPH_NODE_TYPE_MEM_FREE)
            state->note_memory_node();
    }
    return state;
}

NodeRecords::Entry DefinitionState::prepare(NodeRecordPointer record) {
    NodeRecords::Entry entry = records_.prepare(record);
    if (is_retained_in_graph_ && !record->objects.empty()) {
        detail::retain_in_graph(graph_, std::make_unique<DriverReference>(std::move(record)));
    }
    return entry;
}

ObjectList DefinitionState::all_objects() const {
    ObjectList all;
    all.reserve(records_.map().size() + 1);
    if (captured_ != nullptr && !captured_->empty()) all.push_back(captured_);
    for (const auto& [node, record] : records_.map()) {
        if (!record->objects.empty()) all.push_back(record);
    }
    return all;
}

void DefinitionState::retain_in_graph() {
    if (is_retained_in_graph_) return;
    ObjectList all = all_objects();
    if (!all.empty()) {
        detail::retain_in_graph(graph_, std::make_unique<DriverReference>(std::make_shared<const ObjectList>(std::move(all))));
    }
    is_retained_in_graph_ = true;
}

}  // namespace CUBIND_NAMESPACE::detail
