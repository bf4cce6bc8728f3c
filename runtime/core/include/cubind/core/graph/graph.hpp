// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class ChildGraphNode;
class CopyNode;
class EventRecordNode;
class EventWaitNode;
class ExecutableChildGraphNode;
class ExecutableCopyNode;
class ExecutableEventRecordNode;
class ExecutableEventWaitNode;
class ExecutableExternalSemaphoreSignalNode;
class ExecutableExternalSemaphoreWaitNode;
class ExecutableFillNode;
class ExecutableHostCallbackNode;
class ExecutableKernelNode;
class ExecutableMemoryOperationNode;
class ExternalSemaphoreSignalNode;
class ExternalSemaphoreWaitNode;
class FillNode;
class GraphBuilder;
class GraphDefinition;
class HostCallbackNode;
class KernelNode;
class MemoryOperationNode;

namespace detail {
class GraphState;
struct GraphAccess;
}  // namespace detail

/// Options for instantiating a graph.
struct GraphCompleteOptions {
    /// Frees, before each launch, the memory that the previous launch allocated and did not free. Without this option, a launch
    /// fails while such memory exists.
    bool auto_free_on_launch = false;
    /// Runs each node with the priority of the stream that it was captured from, instead of the priority of the launch.
    bool use_node_priority = false;
    /// Allows kernels to launch the graph, which must be uploaded first.
    bool device_launch = false;
    /// Uploads the graph in the order of this stream, so that the first launch does not upload it.
    std::optional<StreamRef> upload_stream = {};
};

/// A view of an executable graph: captured work that one call submits. A view owns nothing and converts implicitly from
/// the native handle. Launches of one graph never overlap, whatever streams they use. Only one thread at a time may use a
/// graph.
class CUBIND_EXPORT GraphRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUgraphExec;

    /// Creates a view of the graph with this handle. Every use of a null handle throws std::invalid_argument.
    GraphRef(Handle handle) noexcept : handle_(handle) {}
    GraphRef(std::nullptr_t) = delete;  ///< Deleted: no graph has a null handle.
    /// Deleted: an integer is not a graph.
    template <class Integer>
    requires std::is_integral_v<Integer> GraphRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty graph.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("Graph");
        return handle_;
    }

    /// Returns the number of the executable graph, by which records of profilers name its launches (cuGraphExecGetId). Throws
    /// Error, which names the release, if the driver is older than CUDA 13.1.
    [[nodiscard]] unsigned int id() const;

    /// Submits the graph. It runs after the stream's previous work and after earlier launches of the graph (cuGraphLaunch).
    /// Throws Error if the driver rejects the launch, for example because memory operations of the graph use memory of a pool.
    void launch(StreamRef stream) const;

    /// Uploads the graph to the device, in stream order, so that the first launch does not upload it (cuGraphUpload).
    void upload(StreamRef stream) const;

    /// Replaces the parameters of all nodes by the captured parameters of the builder, from the next launch on
    /// (cuGraphExecUpdate). The graph no longer retains objects that only the previous work used. Throws Error if the graphs
    /// differ in more than parameters; the message states the difference and the node, and this graph is unchanged.
    void update(const GraphBuilder& builder) const;
    /// Replaces the parameters of all nodes by the parameters of the definition, as update() does for a builder
    /// (cuGraphExecUpdate).
    void update(const GraphDefinition& definition) const;

    /// Returns a view of the node of this graph that was instantiated from `node`, a node of the definition. The view can replace
    /// the parameters of the node. The views are defined in <cubind/core/graph/executable_node.hpp>.
    ///
    ///     graph[kernel_node].update(config, kernel, data, n);
    [[nodiscard]] ExecutableKernelNode operator[](const KernelNode& node) const;
    /// Returns a view of a copy.
    [[nodiscard]] ExecutableCopyNode operator[](const CopyNode& node) const;
    /// Returns a view of a fill.
    [[nodiscard]] ExecutableFillNode operator[](const FillNode& node) const;
    /// Returns a view of a call of a host function.
    [[nodiscard]] ExecutableHostCallbackNode operator[](const HostCallbackNode& node) const;
    /// Returns a view of a record of an event.
    [[nodiscard]] ExecutableEventRecordNode operator[](const EventRecordNode& node) const;
    /// Returns a view of a wait for an event.
    [[nodiscard]] ExecutableEventWaitNode operator[](const EventWaitNode& node) const;
    /// Returns a view of memory operations, defined in <cubind/core/graph/memory_operation_node.hpp>.
    [[nodiscard]] ExecutableMemoryOperationNode operator[](const MemoryOperationNode& node) const;
    /// Returns a view of signals of external semaphores, defined in <cubind/interop/external_semaphore_node.hpp>.
    [[nodiscard]] ExecutableExternalSemaphoreSignalNode operator[](const ExternalSemaphoreSignalNode& node) const;
    /// Returns a view of waits for external semaphores, defined in <cubind/interop/external_semaphore_node.hpp>.
    [[nodiscard]] ExecutableExternalSemaphoreWaitNode operator[](const ExternalSemaphoreWaitNode& node) const;
    /// Returns a view of a graph within a node.
    [[nodiscard]] ExecutableChildGraphNode operator[](const ChildGraphNode& node) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(GraphRef left, GraphRef right) noexcept { return left.handle_ == right.handle_; }

private:
    friend class detail::Owner<GraphRef>;
    friend struct detail::GraphAccess;
    friend struct detail::HandleHash;
    static GraphRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    friend class Graph;
    GraphRef(Handle handle, detail::GraphState* state) noexcept : handle_(handle), state_(state) {}

    Handle handle_;
    detail::GraphState* state_ = nullptr;  // nullptr for a graph that cubind does not own
};

/// An owner of an executable graph, from GraphBuilder::complete() or GraphDefinition::instantiate(). Kernels, buffers and host
/// functions that its work uses are retained until the object is destroyed and its last launch() has completed. If the object is
/// destroyed before the launch has completed, the next call that waits, or that finds work completed, releases them. Destroying
/// the graph (cuGraphExecDestroy) does not wait for launches. Launches through the native handle or from kernels must have
/// completed before the graph is destroyed. After release(), objects that the graph uses are retained until the process ends.
/// Only one thread at a time may use a graph. Movable, not copyable.
///
///     Graph graph = builder.complete();
///     graph.launch(stream);
class [[nodiscard]] CUBIND_EXPORT Graph : public detail::Owner<GraphRef> {
public:
    /// Creates an empty object.
    Graph() noexcept = default;

    /// Takes ownership of a graph that was instantiated elsewhere. If this throws, the caller still owns the graph.
    static Graph from_native_handle(Handle handle);

private:
    friend struct detail::GraphAccess;
    Graph(Handle handle, detail::GraphState* state) noexcept : Owner(GraphRef(handle, state)) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::GraphRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::Graph> : cubind::detail::HandleHash {};
