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
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_GRAPH;

    driver::CUresult check() const noexcept { return graph != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE; }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const ChildOperation&) const noexcept { return true; }

    std::shared_ptr<Graph> graph;
};

/// The value behind a conditional handle, which device code sets.
struct Condition {
    const driver::CUgraphConditionalHandle handle;
    const driver::CUgraph graph;  ///< only its nodes, and nodes of body graphs within it, may use the condition
    const driver::CUcontext context;
    const unsigned initial_value;
    const bool is_reset_by_launches;
    std::atomic<unsigned> value{0};
};

/// Body graphs. The condition selects one of them, or repeats one while it holds.
struct ConditionalOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_CONDITIONAL;

    driver::CUresult check() const noexcept {
        return condition != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE;
    }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const ConditionalOperation& next) const noexcept {
        return kind == next.kind && bodies.size() == next.bodies.size();
    }
    /// Returns the parameters. The array in them is valid as long as the node exists.
    driver::CUDA_CONDITIONAL_NODE_PARAMS parameters() const;
    /// Stores the body graphs and their handles.
    void set_bodies(std::vector<std::shared_ptr<Graph>> graphs);

    std::shared_ptr<Condition> condition;
    driver::CUgraphConditionalNodeType kind = driver::CU_GRAPH_COND_TYPE_IF;
    std::vector<std::shared_ptr<Graph>> bodies;
    std::shared_ptr<std::vector<driver::CUgraph>> handles;  ///< handles of the body graphs
};

}  // namespace CUBIND_NAMESPACE::sim
