// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <vector>

namespace CUBIND_NAMESPACE {

/// A number of a graph on which conditional nodes depend, from GraphDefinitionRef::create_condition() or
/// GraphBuilder::create_condition(). Kernels of the graph set it: pass the condition as an argument of the type
/// `cudaGraphConditionalHandle` (unsigned long long), and call `cudaGraphSetConditional(handle, value)` in device code. A value
/// that is cheap to copy and owns nothing.
class GraphCondition {
public:
    /// The type of the native handle.
    using Handle = driver::CUgraphConditionalHandle;

    /// Returns the native handle.
    [[nodiscard]] Handle native_handle() const noexcept { return handle_; }
    /// Returns the handle, for launches that pass the condition as an argument.
    [[nodiscard]] Handle kernel_argument() const noexcept { return handle_; }

    /// Returns whether both have the same handle.
    [[nodiscard]] friend bool operator==(GraphCondition, GraphCondition) noexcept = default;

private:
    friend class ConditionalNode;
    friend class GraphBuilder;
    friend class GraphDefinitionRef;
    explicit GraphCondition(Handle handle) noexcept : handle_(handle) {}

    Handle handle_;
};

/// A node whose graphs run depending on a condition. The graphs can have kernels, copies, fills, empty nodes, child graphs and
/// conditional nodes.
class CUBIND_EXPORT ConditionalNode : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_CONDITIONAL;

    /// Returns the kind of the condition. For nodes that cubind did not add, requires CUDA 13.2 (cuGraphNodeGetParams).
    [[nodiscard]] driver::CUgraphConditionalNodeType kind() const;
    /// Returns the condition. For nodes that cubind did not add, requires CUDA 13.2.
    [[nodiscard]] GraphCondition condition() const;
    /// Returns the graphs within the node. For nodes that cubind did not add, requires CUDA 13.2.
    [[nodiscard]] std::vector<GraphDefinitionRef> branches() const;

protected:
    friend class GraphNode;
    /// Creates a view of the same node.
    explicit ConditionalNode(const GraphNode& node) noexcept : GraphNode(node) {}
    /// Returns the graph within the node with this index. Throws std::invalid_argument, which states the number of graphs, if
    /// there is none.
    GraphDefinitionRef branch_at(std::size_t index) const;
};

/// A node whose graph runs if the condition is not 0.
class CUBIND_EXPORT IfNode final : public ConditionalNode {
public:
    /// Returns the graph.
    [[nodiscard]] GraphDefinitionRef then() const { return branch_at(0); }

private:
    friend class GraphPosition;
    using ConditionalNode::ConditionalNode;
};

/// A node of two graphs, the first of which runs if the condition is not 0, and otherwise the second.
class CUBIND_EXPORT IfElseNode final : public ConditionalNode {
public:
    /// Returns the graph that runs if the condition is not 0.
    [[nodiscard]] GraphDefinitionRef then() const { return branch_at(0); }
    /// Returns the graph that runs if the condition is 0.
    [[nodiscard]] GraphDefinitionRef otherwise() const { return branch_at(1); }

private:
    friend class GraphPosition;
    using ConditionalNode::ConditionalNode;
};

/// A node whose graph runs again and again while the condition is not 0.
class CUBIND_EXPORT WhileNode final : public ConditionalNode {
public:
    /// Returns the graph.
    [[nodiscard]] GraphDefinitionRef body() const { return branch_at(0); }

private:
    friend class GraphPosition;
    using ConditionalNode::ConditionalNode;
};

/// A node of several graphs. It runs the graph whose index equals the condition, or none if there is no such graph.
class CUBIND_EXPORT SwitchNode final : public ConditionalNode {
public:
    /// Returns the graph that runs if the condition equals the index. Throws std::invalid_argument if there is none.
    [[nodiscard]] GraphDefinitionRef branch(std::size_t index) const { return branch_at(index); }

private:
    friend class GraphPosition;
    using ConditionalNode::ConditionalNode;
};

}  // namespace CUBIND_NAMESPACE
