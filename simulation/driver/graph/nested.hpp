// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

class Graph;

/// A child graph.
struct ChildOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_GRAPH;

    CUresult check() const noexcept { return graph != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
    CUresult plan(Plan& plan) const;
    bool can_update_to(const ChildOperation&) const noexcept { return true; }

    std::shared_ptr<Graph> graph;
};

/// The value behind a conditional handle, which device code sets.
struct Condition {
    const CUgraphConditionalHandle handle;
    const CUgraph graph;  ///< only its nodes, and nodes of body graphs within it, may use the condition
    const CUcontext context;
    const unsigned initial_value;
    const bool is_reset_by_launches;
    std::atomic<unsigned> value{0};
};

/// Body graphs. The condition selects one of them, or repeats one while it holds.
struct ConditionalOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_CONDITIONAL;

    CUresult check() const noexcept { return condition != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
    CUresult plan(Plan& plan) const;
    bool can_update_to(const ConditionalOperation& next) const noexcept {
        return kind == next.kind && bodies.size() == next.bodies.size();
    }
    /// Returns the parameters. The array in them is valid as long as the node exists.
    CUDA_CONDITIONAL_NODE_PARAMS parameters() const;
    /// Stores the body graphs and their handles.
    void set_bodies(std::vector<std::shared_ptr<Graph>> graphs);

    std::shared_ptr<Condition> condition;
    CUgraphConditionalNodeType kind = CU_GRAPH_COND_TYPE_IF;
    std::vector<std::shared_ptr<Graph>> bodies;
    std::shared_ptr<std::vector<CUgraph>> handles;  ///< handles of the body graphs
};

}  // namespace CUBIND_NAMESPACE::sim
