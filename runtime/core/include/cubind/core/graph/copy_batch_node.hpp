// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/graph/graph_node.hpp>
#include <cubind/core/memory/copy_options.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <vector>

/// @file
/// Kinds of nodes that other code has added to a graph, and that cubind reads and does not add. Clones, child graphs and
/// instantiation preserve them. Only one thread at a time may use a graph.
namespace CUBIND_NAMESPACE {

/// One copy of a node.
struct NodeCopy {
    driver::CUdeviceptr destination = 0;  ///< the address of the first byte that is written
    driver::CUdeviceptr source = 0;       ///< the address of the first byte that is read
    std::size_t size = 0;                 ///< in bytes
    CopyOptions options = {};             ///< how it is performed

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const NodeCopy&, const NodeCopy&) noexcept = default;
};

/// Many copies without an order among each other, as cuMemcpyBatchAsync makes them.
class CUBIND_EXPORT CopyBatchNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_MEMCPY_BATCH;

    /// Returns the copies as the driver stores them (cuGraphNodeGetParams). They retain no memory. Throws Error, which names the
    /// release, if the driver lacks the function.
    [[nodiscard]] std::vector<NodeCopy> copies() const;

private:
    friend class GraphNode;
    explicit CopyBatchNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// Copies to and from logical endpoints of a fabric, as cuFabricCpyBatchAsync makes them (CUDA 13.5).
class CUBIND_EXPORT FabricCopyBatchNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH;

    /// Returns the copies as the driver stores them (cuGraphNodeGetParams). Throws like CopyBatchNode::copies().
    [[nodiscard]] std::vector<driver::CUDA_FABRIC_COPY_BATCH_OP> copies() const;

private:
    friend class GraphNode;
    explicit FabricCopyBatchNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// Work of an engine outside of CUDA (CUDA 13.5). The driver reports no parameters of it.
class CUBIND_EXPORT ExternalEngineNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE;

private:
    friend class GraphNode;
    explicit ExternalEngineNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

}  // namespace CUBIND_NAMESPACE
