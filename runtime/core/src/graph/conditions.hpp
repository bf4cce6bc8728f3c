// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

/// Conditions and conditional nodes, which definitions and captures add by the same rules. `function` names the caller in
/// messages.
namespace CUBIND_NAMESPACE::detail {

/// Creates a condition of the graph. Throws std::invalid_argument if the driver is too old (cuGraphConditionalHandleCreate).
driver::CUgraphConditionalHandle create_condition(const char* function, driver::CUgraph graph, driver::CUcontext context,
                                                  std::optional<unsigned int> initial);

/// A conditional node.
struct ConditionalNodeDescription {
    const char* function;
    driver::CUgraphConditionalHandle condition;
    driver::CUgraphConditionalNodeType kind;
    unsigned int count;  ///< of graphs within the node

    /// Throws std::invalid_argument if the driver is too old for such a node, and for a count of 0.
    void check() const;
};

/// Where a conditional node is added: its graph, the context in which the graphs within the node run, and the dependencies.
struct ConditionalNodePlace {
    driver::CUgraph graph;
    driver::CUcontext context;
    const driver::CUgraphNode* dependencies;
    const driver::CUgraphEdgeData* edges;  ///< nullptr for ordinary edges
    std::size_t count;
};

/// A conditional node that was added, and its parameters with the graphs within it.
struct AddedConditionalNode {
    driver::CUgraphNode node;
    driver::CUDA_CONDITIONAL_NODE_PARAMS parameters;
};

/// Adds a node that was checked (cuGraphAddNode).
AddedConditionalNode add_conditional_node(const ConditionalNodePlace& place, const ConditionalNodeDescription& description);

}  // namespace CUBIND_NAMESPACE::detail
