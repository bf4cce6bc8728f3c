// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_records.hpp"

#include <utility>

namespace CUBIND_NAMESPACE::detail {

void NodeObjects::retain(std::shared_ptr<const void> object) {
    if (object != nullptr) objects_.push_back(std::move(object));
}

NodeRecords::Entry NodeRecords::prepare(NodeRecordPointer record) {
    map_.reserve(map_.size() + 1);  // so that put() does not rehash
    Map single;
    return single.extract(single.emplace(nullptr, std::move(record)).first);
}

NodeRecordPointer NodeRecords::put(driver::CUgraphNode node, Entry entry) noexcept {
    entry.key() = node;
    auto inserted = map_.insert(std::move(entry));
    if (inserted.inserted) return nullptr;
    std::swap(inserted.position->second, inserted.node.mapped());
    return std::move(inserted.node.mapped());
}

NodeRecordPointer NodeRecords::find(driver::CUgraphNode node) const noexcept {
    const auto found = map_.find(node);
    return found != map_.end() ? found->second : nullptr;
}

bool NodeRecords::has_objects(driver::CUgraphNode node, const NodeRecord& other) const noexcept {
    const auto found = map_.find(node);
    return found != map_.end() && found->second->objects == other.objects;
}

}  // namespace CUBIND_NAMESPACE::detail
