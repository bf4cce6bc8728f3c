// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph_node.hpp>
#include <cubind/core/memory/memory_operation.hpp>

#include <initializer_list>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

/// Memory operations, from GraphPosition::memory_operations() or captured. Only one thread at a time may use a graph.
class CUBIND_EXPORT MemoryOperationNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;

    /// Returns the operations in the order in which they are done (cuGraphBatchMemOpNodeGetParams). They retain no buffers.
    [[nodiscard]] std::vector<MemoryOperation> operations() const;

    /// Replaces the operations, with the checks of GraphPosition::memory_operations() (cuGraphBatchMemOpNodeSetParams). If the
    /// driver rejects them, throws Error, and the node is unchanged.
    void update(std::span<const MemoryOperation> operations) const;
    /// Replaces the operations by those of a list.
    void update(std::initializer_list<MemoryOperation> operations) const {
        update(std::span(operations.begin(), operations.size()));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit MemoryOperationNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// Memory operations in an executable graph.
class CUBIND_EXPORT ExecutableMemoryOperationNode final : public ExecutableNode {
public:
    /// Replaces memory, values and conditions (cuGraphExecBatchMemOpNodeSetParams). Throws Error if the driver rejects the
    /// change: the number and the kinds of the operations must remain.
    void update(std::span<const MemoryOperation> operations) const;
    /// Replaces the operations by those of a list.
    void update(std::initializer_list<MemoryOperation> operations) const {
        update(std::span(operations.begin(), operations.size()));
    }

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

}  // namespace CUBIND_NAMESPACE
