// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/lifetime/detail/node_objects.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "launch/kernel_state.hpp"

namespace CUBIND_NAMESPACE::detail {

/// What cubind stores for a node of a graph. Immutable, so that a definition and the graphs instantiated from it can share it.
struct NodeRecord {
    ObjectList objects = {};                                ///< objects that the node's work uses
    std::shared_ptr<KernelState> kernel = nullptr;          ///< of a kernel node
    LaunchConfig config = {};                               ///< of a kernel node
    driver::CUDA_CONDITIONAL_NODE_PARAMS conditional = {};  ///< of a conditional node
    std::shared_ptr<const void> details = nullptr;          ///< what the class of a node of another target stores
};

using NodeRecordPointer = std::shared_ptr<const NodeRecord>;

/// The records of nodes, by their handles in the definition.
class CUBIND_EXPORT NodeRecords {
public:
    using Map = std::unordered_map<driver::CUgraphNode, NodeRecordPointer>;
    using Entry = Map::node_type;

    /// Allocates all memory that put() needs for one more record.
    Entry prepare(NodeRecordPointer record);
    /// Stores a prepared record and returns the previous record of the node, or nullptr.
    NodeRecordPointer put(driver::CUgraphNode node, Entry entry) noexcept;
    void erase(driver::CUgraphNode node) noexcept { map_.erase(node); }
    /// Returns the record, or nullptr.
    NodeRecordPointer find(driver::CUgraphNode node) const noexcept;
    /// Returns whether the record of the node exists and has the same objects in the same order.
    bool has_objects(driver::CUgraphNode node, const NodeRecord& other) const noexcept;
    const Map& map() const noexcept { return map_; }

private:
    Map map_;
};

}  // namespace CUBIND_NAMESPACE::detail
