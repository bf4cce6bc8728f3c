// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/detail/kernel_call.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

class AllocationNode;
class ChildGraphNode;
class CopyNode;
class EmptyNode;
class EventRecordNode;
class EventWaitNode;
struct ExternalSemaphoreOperation;
class ExternalSemaphoreSignalNode;
class ExternalSemaphoreWaitNode;
class FillNode;
class FreeNode;
class GraphBuilder;
class GraphCondition;
class GraphDefinition;
class GraphNode;
class HostCallbackNode;
class IfElseNode;
class IfNode;
class KernelNode;
class MemoryOperation;
class MemoryOperationNode;
class NodesBefore;
class SwitchNode;
template <class Element>
class TypedAllocationNode;
class WhileNode;

namespace detail {

class DefinitionState;
struct NodeAccess;

/// Where a node is added: its graph and the nodes that it depends on.
struct GraphPlace {
    DefinitionState& state;
    driver::CUgraph graph;
    const driver::CUgraphNode* dependencies;
    std::size_t count;
};

}  // namespace detail

/// Options for memory that a graph allocates.
struct GraphAllocationOptions {
    /// The kind of the memory: device, host or managed. Drivers may reject kinds: CUDA 13.0 allocates no host memory in graphs.
    MemoryType memory_type = MemoryType::device;
    /// The device of the memory, or of managed memory before its first use; std::nullopt for the device of the definition. Host
    /// memory has no device.
    std::optional<Device> device = {};
    /// Other devices that can access the memory.
    std::vector<Device> peer_accessible_by = {};
};

/// A position in a graph, where nodes are added. A GraphDefinition is the position without dependencies, a GraphNode is the
/// position after that node, and after() is the position after several nodes. Every function adds one node and returns a view of
/// it; a failure adds nothing. The graph retains kernels, buffers, arrays, external semaphores and host functions that a node
/// uses, until the node is removed or updated, and as long as a graph that was instantiated before can run. Memory that is passed
/// as a pointer, a span or a host range, and events, must outlive the graph and the graphs instantiated from it. Functions throw
/// std::invalid_argument for wrong arguments and Error if the driver rejects the node. Only one thread at a time may use a graph
/// and its nodes.
///
///     KernelNode first = definition.launch(config, kernel, data, n);
///     first.fill(data, 0.0f).launch(config, kernel, data, n);      // one after the other
class CUBIND_EXPORT GraphPosition {
public:
    /// Adds a launch of a kernel, with every check and conversion of cubind::launch() (cuGraphAddKernelNode). Sets all attributes
    /// of the config, including clusters and cooperative launches (cuGraphKernelNodeSetAttribute).
    /// programmatic_stream_serialization makes the edges from kernel nodes programmatic, which requires CUDA 12.3. The driver
    /// does not accept all attributes for nodes. Throws std::invalid_argument for programmatic_event, launch_completion_event and
    /// device_updatable_kernel_node, which only captured launches support.
    template <class... Arguments>
    KernelNode launch(const LaunchConfig& config, const Kernel& kernel, const Arguments&... arguments) const;

    /// Adds a launch of a kernel with a signature. The arguments are converted to the types of the parameters.
    template <class... Parameters>
    KernelNode launch(const LaunchConfig& config, const KernelFunction<void(Parameters...)>& function,
                      typename detail::ParameterOf<Parameters>::Type... arguments) const;

    /// Adds a copy of all of the source to the beginning of the destination, with the operands and checks of both functions
    /// cubind::copy(), also in two and three dimensions: an ArrayRef, an ArrayRegion, a PitchedSpan or a PitchedBuffer
    /// (cuGraphAddMemcpyNode). The graph retains arrays and buffers. A copy between the memory of two devices requires that one
    /// of them can access the memory of the other. Throws std::invalid_argument for 0 bytes, because the driver has no such node.
    template <class Destination, class Source>
    requires detail::IsCopy<Destination, Source> CopyNode copy(Destination&& destination, Source&& source)
    const;

    /// Adds a fill, with the operands and checks of cubind::fill() (cuGraphAddMemsetNode). Throws std::invalid_argument for
    /// 0 bytes, because the driver has no such node.
    template <class Destination>
    FillNode fill(Destination&& destination, detail::FillValueFor<Destination> value) const;

    /// Adds a call of `function()` on the host (cuGraphAddHostNode). The rules of StreamRef::launch_host_function() apply.
    template <class Function>
    HostCallbackNode callback(Function&& function) const;

    /// Adds a node that does nothing (cuGraphAddEmptyNode).
    EmptyNode empty() const;

    /// Adds an empty node that depends on this position and on these nodes (cuGraphAddEmptyNode).
    EmptyNode join(const std::vector<GraphNode>& nodes) const;

    /// Returns the position after this one and these nodes. It adds no node. Throws std::invalid_argument for nodes of another
    /// graph.
    ///
    ///     definition.after({left, right}).launch(config, sum, left_half, right_half, n);
    [[nodiscard]] NodesBefore after(const std::vector<GraphNode>& nodes) const;

    /// Adds a record of the event (cuGraphAddEventRecordNode).
    EventRecordNode record(EventRef event) const;
    /// Adds a wait for the event (cuGraphAddEventWaitNode). Nodes that depend on the wait start once the work that the event
    /// recorded has completed.
    EventWaitNode wait(EventRef event) const;

    /// Adds memory operations, which the node does one after the other (cuGraphAddBatchMemOpNode). MemoryOperation is defined in
    /// <cubind/core/memory/memory_operation.hpp>, and the view of the node in <cubind/core/graph/memory_operation_node.hpp>.
    /// Throws std::invalid_argument for no operation and for more than max_memory_operations. Graphs within conditional nodes
    /// cannot have such nodes. The driver refuses memory of a pool only when the graph is launched.
    ///
    ///     definition.memory_operations({MemoryOperation::wait(ready, WaitCondition::equal, 1)}).launch(config, kernel, data, n);
    MemoryOperationNode memory_operations(std::span<const MemoryOperation> operations) const;
    /// Adds the operations of a list.
    MemoryOperationNode memory_operations(std::initializer_list<MemoryOperation> operations) const;

    /// Adds signals of external semaphores (cuGraphAddExternalSemaphoresSignalNode), with the checks of signal_semaphores() for
    /// streams. ExternalSemaphoreOperation is defined in <cubind/interop/external_semaphore.hpp>, and the view of the node in
    /// <cubind/interop/external_semaphore_node.hpp>. The graph retains the semaphores. Throws std::invalid_argument for no
    /// operation. Graphs within conditional nodes cannot have such nodes.
    ///
    ///     definition.launch(config, kernel, image).signal_semaphores({{frames, 2}});
    ExternalSemaphoreSignalNode signal_semaphores(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Adds the signals of a list.
    ExternalSemaphoreSignalNode signal_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const;

    /// Adds waits for external semaphores (cuGraphAddExternalSemaphoresWaitNode), as signal_semaphores() adds signals. Nodes that
    /// depend on it start once all semaphores are signaled.
    ExternalSemaphoreWaitNode wait_semaphores(std::span<const ExternalSemaphoreOperation> operations) const;
    /// Adds the waits of a list.
    ExternalSemaphoreWaitNode wait_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const;

    /// Adds a copy of another graph as one node (cuGraphAddChildGraphNode). Later changes of `child` do not affect this graph.
    /// The driver rejects graphs that allocate or free memory.
    ChildGraphNode embed(const GraphDefinition& child) const;
    /// Adds a copy of a captured graph as one node (cuGraphAddChildGraphNode).
    ChildGraphNode embed(const GraphBuilder& child) const;

    /// Adds an allocation of `size` bytes of memory (cuGraphAddMemAllocNode). The address is the same for all launches.
    /// The memory exists from this node on until a FreeNode, or until it is freed in a stream after the launch. Throws
    /// std::invalid_argument for a size of 0, for a kind of memory that does not exist and for host memory with a device, Error
    /// for a kind that the driver does not support in graphs, and OutOfMemory if there is not enough memory. Nodes and edges of a
    /// graph with allocations cannot be removed, and such a graph can neither be cloned nor embedded.
    AllocationNode allocate(std::size_t size, const GraphAllocationOptions& options = {}) const;
    /// Adds an allocation of `count` elements.
    template <class Element>
    TypedAllocationNode<Element> allocate(std::size_t count, const GraphAllocationOptions& options = {}) const;

    /// Adds a free of memory that a node of this graph allocates (cuGraphAddMemFreeNode).
    FreeNode free(const AllocationNode& allocation) const;
    /// Adds a free of memory that another graph allocates. `address` is the address of the allocation.
    FreeNode free(driver::CUdeviceptr address) const;

    /// Adds a node whose graph, IfNode::then(), runs if the condition is not 0 (cuGraphAddNode). A condition belongs to one graph
    /// and one node of it. The views of conditional nodes are defined in <cubind/core/graph/graph_condition.hpp>. All functions
    /// that add conditional nodes throw std::invalid_argument, which names the release, if the driver is older than CUDA 12.3.
    ///
    ///     const WhileNode loop = definition.while_loop(condition);
    ///     loop.body().launch(config, step, data, condition);          // calls cudaGraphSetConditional(condition, 0) at the end
    IfNode if_then(const GraphCondition& condition) const;
    /// Adds a node of two graphs: IfElseNode::then() runs if the condition is not 0, and IfElseNode::otherwise() if it is 0.
    /// Throws std::invalid_argument if the driver is older than CUDA 12.8.
    IfElseNode if_else(const GraphCondition& condition) const;
    /// Adds a node whose graph, WhileNode::body(), runs repeatedly while the condition is not 0.
    WhileNode while_loop(const GraphCondition& condition) const;
    /// Adds a node of `count` graphs, of which SwitchNode::branch(i) runs if the condition is i. Throws std::invalid_argument if
    /// the driver is older than CUDA 12.8, and for a count of 0.
    SwitchNode switch_on(const GraphCondition& condition, unsigned int count) const;

protected:
    friend struct detail::NodeAccess;
    /// Creates the position without dependencies.
    GraphPosition(detail::DefinitionState* state, driver::CUgraph graph) noexcept : state_(state), graph_(graph) {}
    /// Creates the position after a node.
    GraphPosition(detail::DefinitionState* state, driver::CUgraph graph, driver::CUgraphNode node) noexcept
        : state_(state), graph_(graph), node_(node) {}
    /// Copies the position.
    GraphPosition(const GraphPosition&) noexcept = default;
    /// Copies the position.
    GraphPosition& operator=(const GraphPosition&) noexcept = default;
    ~GraphPosition() = default;

    /// Returns where nodes are added. Throws std::invalid_argument for an empty graph.
    detail::GraphPlace place() const;
    /// Adds a conditional node. `function` names the caller in messages.
    GraphNode add_conditional(const char* function, const GraphCondition& condition, driver::CUgraphConditionalNodeType kind,
                              unsigned int count) const;

    detail::DefinitionState* state_;             ///< nullptr for an empty graph
    driver::CUgraph graph_;                      ///< the graph, or the graph within a node
    driver::CUgraphNode node_ = nullptr;         ///< nullptr if there are no dependencies, or several
    const driver::CUgraphNode* list_ = nullptr;  ///< several dependencies
    std::size_t count_ = 0;                      ///< the number of nodes in the list
};

}  // namespace CUBIND_NAMESPACE
