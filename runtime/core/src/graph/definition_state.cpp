// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/definition_state.hpp"

#include "support/graph_retention.hpp"

namespace CUBIND_NAMESPACE::detail {

NodeRecords::Entry DefinitionState::prepare(NodeRecordPointer record) {
    NodeRecords::Entry entry = records_.prepare(record);
    if (is_retained_in_graph_ && !record->objects.empty()) {
        detail::retain_in_graph(graph_, std::make_unique<DriverReference>(std::move(record)));
    }
    return entry;
}

ObjectList DefinitionState::all_objects() const {
    ObjectList all;
    all.reserve(records_.map().size());
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
