// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph_node.hpp>
#include <cubind/interop/external_semaphore.hpp>

#include <initializer_list>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

/// Signals of external semaphores, from GraphPosition::signal_semaphores() or captured. Every launch signals the same values, so
/// a graph that is launched again with a timeline semaphore needs an update with a greater value before. Only one thread at a
/// time may use a graph.
class CUBIND_EXPORT ExternalSemaphoreSignalNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL;

    /// Returns the signals (cuGraphExternalSemaphoresSignalNodeGetParams). For a semaphore that the definition retains for this
    /// node, the view has its kind, and a signal of a binary semaphore has no value. The driver reports neither the kinds of
    /// other semaphores nor whether a signal has a value: their views have no kind, and their values are 0 unless the semaphore
    /// is a timeline. The views retain no semaphores.
    [[nodiscard]] std::vector<ExternalSemaphoreOperation> operations() const;

    /// Replaces the signals, with the checks of GraphPosition::signal_semaphores()
    /// (cuGraphExternalSemaphoresSignalNodeSetParams). If the driver rejects them, throws Error, and the node is unchanged.
    void update(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Replaces the signals by those of a list.
    void update(std::initializer_list<ExternalSemaphoreOperation> operations) const {
        update(std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit ExternalSemaphoreSignalNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// Waits for external semaphores, from GraphPosition::wait_semaphores() or captured. Every launch waits for the same values. Only
/// one thread at a time may use a graph.
class CUBIND_EXPORT ExternalSemaphoreWaitNode final : public GraphNode {
public:
    /// The kind of the node in the driver.
    CUBIND_HIDDEN static constexpr driver::CUgraphNodeType native_type = driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;

    /// Returns the waits, as ExternalSemaphoreSignalNode::operations() returns signals
    /// (cuGraphExternalSemaphoresWaitNodeGetParams).
    [[nodiscard]] std::vector<ExternalSemaphoreOperation> operations() const;

    /// Replaces the waits, with the checks of GraphPosition::wait_semaphores() (cuGraphExternalSemaphoresWaitNodeSetParams). If
    /// the driver rejects them, throws Error, and the node is unchanged.
    void update(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Replaces the waits by those of a list.
    void update(std::initializer_list<ExternalSemaphoreOperation> operations) const {
        update(std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
    }

private:
    friend class GraphNode;
    friend class GraphPosition;
    explicit ExternalSemaphoreWaitNode(const GraphNode& node) noexcept : GraphNode(node) {}
};

/// Signals of external semaphores in an executable graph.
class CUBIND_EXPORT ExecutableExternalSemaphoreSignalNode final : public ExecutableNode {
public:
    /// Replaces semaphores and values (cuGraphExecExternalSemaphoresSignalNodeSetParams). Throws Error if the driver rejects the
    /// change: the number of the signals must remain.
    ///
    ///     graph[signal].update({{frames, ++frame}});      // before each launch
    void update(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Replaces the signals by those of a list.
    void update(std::initializer_list<ExternalSemaphoreOperation> operations) const {
        update(std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
    }

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

/// Waits for external semaphores in an executable graph.
class CUBIND_EXPORT ExecutableExternalSemaphoreWaitNode final : public ExecutableNode {
public:
    /// Replaces semaphores and values (cuGraphExecExternalSemaphoresWaitNodeSetParams). Throws Error if the driver rejects the
    /// change: the number of the waits must remain.
    void update(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Replaces the waits by those of a list.
    void update(std::initializer_list<ExternalSemaphoreOperation> operations) const {
        update(std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
    }

private:
    friend class GraphRef;
    using ExecutableNode::ExecutableNode;
};

}  // namespace CUBIND_NAMESPACE
