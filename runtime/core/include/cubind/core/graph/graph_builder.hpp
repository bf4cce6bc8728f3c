// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph.hpp>
#include <cubind/core/lifetime/detail/private_state.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

class Device;
class GraphCondition;
class GraphDefinitionRef;
struct IfElseBuilders;

/// The calls that the driver rejects during a capture, because their effect would be missing from the graph.
enum class CaptureMode {
    relaxed,      ///< rejects only waits for the captured stream or for its whole context
    this_thread,  ///< rejects calls of this thread that may wait for or modify captured work
    global,       ///< rejects calls of all threads that may wait for or modify captured work
};

/// Details that debug_dot_print() writes in addition to the types and edges of the nodes. Each member sets the driver's flag of
/// the same name, for example runtime_types sets CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES.
struct GraphDebugPrintOptions {
    bool verbose = false;                       ///< everything below
    bool runtime_types = false;                 ///< parameters in the types of the runtime API
    bool kernel_node_params = false;            ///< parameters of kernel nodes
    bool memcpy_node_params = false;            ///< parameters of copy nodes
    bool memset_node_params = false;            ///< parameters of fill nodes
    bool host_node_params = false;              ///< parameters of host function nodes
    bool event_node_params = false;             ///< events of record and wait nodes
    bool ext_semas_signal_node_params = false;  ///< parameters of nodes that signal external semaphores
    bool ext_semas_wait_node_params = false;    ///< parameters of nodes that wait for external semaphores
    bool kernel_node_attributes = false;        ///< launch attributes of kernel nodes
    bool handles = false;                       ///< handles of nodes and functions
    bool mem_alloc_node_params = false;         ///< parameters of allocation nodes
    bool mem_free_node_params = false;          ///< parameters of free nodes
    bool batch_mem_op_node_params = false;      ///< parameters of batched memory operations
    bool extra_topo_info = false;               ///< numbers of the edges
    bool conditional_node_params = false;       ///< parameters of conditional nodes
};

/// Captures work into a graph instead of executing it. Between begin_building() and end_building() the builder can be
/// passed wherever a StreamRef is expected: to launch(), copy(), fill() and allocate(), for host functions and events.
///
///     GraphBuilder builder(device);
///     builder.begin_building();
///     launch(builder, config, kernel, data, n);
///     builder.end_building();
///     Graph graph = builder.complete();
///     for (int i = 0; i < 100; ++i) graph.launch(stream);
///
/// The graph retains the kernels, buffers and host functions that are used through the builder. Memory that is passed as
/// a raw pointer must stay valid: the caller retains it. Only one thread at a time may use a builder. Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT GraphBuilder {
public:
    /// Creates a builder with its own stream in device.context().
    explicit GraphBuilder(Device device);

    /// Creates a builder that captures the work submitted to this stream, including work submitted through the stream
    /// itself. After end_building() the stream executes its work again. The stream must outlive the builder. A default
    /// stream cannot be captured.
    explicit GraphBuilder(StreamRef stream);

    /// Moves the builder; the other one is closed afterwards.
    GraphBuilder(GraphBuilder&&) noexcept;
    /// Closes this builder as the destructor does, and moves the other one into it.
    GraphBuilder& operator=(GraphBuilder&&) noexcept;
    /// Closes the builder. A failure is reported to the cleanup handler.
    ~GraphBuilder();

    /// Starts capturing (cuStreamBeginCapture). Throws std::invalid_argument if the builder is capturing or has a graph already.
    GraphBuilder& begin_building(CaptureMode mode = CaptureMode::relaxed);

    /// Ends capturing and stores the graph (cuStreamEndCapture). Throws Error if a call made the capture invalid or a
    /// fork was not joined; the builder then has no graph, and begin_building() can be called again.
    GraphBuilder& end_building();

    /// Returns whether the builder is capturing.
    [[nodiscard]] bool is_building() const noexcept;

    /// Returns the captured stream. Throws std::invalid_argument if the builder is not capturing.
    [[nodiscard]] StreamRef stream() const;
    /// Returns stream(), so that a builder can be passed as a stream.
    [[nodiscard]] operator StreamRef() const { return stream(); }

    // ---- forks -----------------------------------------------------------------------------------------------------------

    /// Returns `count` builders whose work runs after the work captured so far, and concurrently with each other (cuEventRecord,
    /// cuStreamWaitEvent). Each must be joined, by this builder or by another fork, before end_building().
    [[nodiscard]] std::vector<GraphBuilder> split(std::size_t count);

    /// Makes work captured from now on wait for the work of the forks, and closes the forks.
    void join(std::vector<GraphBuilder> forks);
    /// Makes work captured from now on wait for the work of the fork, and closes the fork.
    void join(GraphBuilder fork);

    /// Returns whether another builder must join this one, which is required for a fork from split() that is capturing.
    [[nodiscard]] bool is_join_required() const noexcept;

    // ---- host functions --------------------------------------------------------------------------------------------------

    /// Adds a call of `function()` to the graph; see StreamRef::launch_host_function(). The graph retains the function.
    template <class Function>
    void callback(Function&& function) const {
        stream().launch_host_function(std::forward<Function>(function));
    }

    // ---- other graphs ----------------------------------------------------------------------------------------------------

    /// Adds a copy of another captured graph as one node, after the work captured so far (cuGraphAddChildGraphNode,
    /// cuStreamUpdateCaptureDependencies). The graph retains what the other graph uses; later changes of `child` do not affect
    /// it. Throws std::invalid_argument if this builder is not capturing or `child` has no graph. The driver rejects graphs that
    /// allocate or free memory.
    void embed(const GraphBuilder& child) const;
    /// Adds a copy of a definition as one node.
    void embed(const GraphDefinition& child) const;

    // ---- conditions ------------------------------------------------------------------------------------------------------

    /// Creates a condition for a conditional node of the graph that this builder captures (cuGraphConditionalHandleCreate). It
    /// has no value at the beginning of a launch: a kernel must set it before the node runs. GraphCondition is defined in
    /// <cubind/core/graph/graph_condition.hpp>. Throws std::invalid_argument if the builder is not capturing, or if the driver is
    /// older than CUDA 12.3.
    [[nodiscard]] GraphCondition create_condition() const;
    /// Creates a condition that has the value `initial` at the beginning of each launch.
    [[nodiscard]] GraphCondition create_condition(unsigned int initial) const;

    /// Adds a conditional node after the work captured so far (cuGraphAddNode, cuStreamUpdateCaptureDependencies), and returns a
    /// builder that captures the graph within the node, which runs if the condition is not 0. Work that this builder captures
    /// from now on runs after the node.
    ///
    ///     GraphBuilder body = builder.if_then(condition);
    ///     body.begin_building();
    ///     launch(body, config, kernel, data, n);
    ///     body.end_building();
    ///
    /// The returned builder has a stream of its own. Between its begin_building() (cuStreamBeginCaptureToGraph) and
    /// end_building(), which must precede end_building() of the builder of the whole graph, it can be used like any builder, and
    /// can also create conditions and add conditional nodes. A graph that is never captured is empty. If the capture fails, or
    /// the builder is destroyed during it, the whole graph cannot be used. The returned builder has no graph of its own:
    /// complete(), graph_definition() and similar functions throw std::invalid_argument. A condition belongs to one graph and one
    /// node of it. Graphs within nodes can have kernels, copies, fills, child graphs and conditional nodes.
    ///
    /// Throws std::invalid_argument, which names the release, if the driver is older than CUDA 12.3, and Error for a condition of
    /// another graph or node. A failure adds no node. Only one thread at a time may use the builders of a graph with conditional
    /// nodes.
    [[nodiscard]] GraphBuilder if_then(const GraphCondition& condition) const;
    /// Adds a node of two graphs, and returns a builder for each: the first graph runs if the condition is not 0, and the second
    /// if it is 0. Throws std::invalid_argument if the driver is older than CUDA 12.8.
    [[nodiscard]] IfElseBuilders if_else(const GraphCondition& condition) const;
    /// Adds a node whose graph runs repeatedly while the condition is not 0, and returns a builder for the graph.
    [[nodiscard]] GraphBuilder while_loop(const GraphCondition& condition) const;
    /// Adds a node of `count` graphs, and returns a builder for each. The node runs the graph whose index equals the condition.
    /// Throws std::invalid_argument if the driver is older than CUDA 12.8, and for a count of 0.
    [[nodiscard]] std::vector<GraphBuilder> switch_on(const GraphCondition& condition, unsigned int count) const;

    // ---- the graph -------------------------------------------------------------------------------------------------------

    /// Instantiates the graph (cuGraphInstantiateWithParams). May be called any number of times. Throws
    /// std::invalid_argument before end_building().
    [[nodiscard]] Graph complete(const GraphCompleteOptions& options = {}) const;

    /// Writes the graph to a file in the DOT language of Graphviz (cuGraphDebugDotPrint).
    void debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options = {}) const;

    /// Returns a view of the captured graph, which can read, change, remove and add nodes. The builder must outlive the view.
    /// Changes affect graphs that complete() creates from then on. The builder retains what added nodes use. Defined in
    /// <cubind/core/graph/graph_definition.hpp>. Throws std::invalid_argument before end_building().
    [[nodiscard]] GraphDefinitionRef graph_definition() const;

    /// Returns the graph, which the builder still owns. Throws std::invalid_argument before end_building(). Graphs that
    /// the driver creates from it after this call retain the objects that the work uses, which makes each launch several
    /// times slower (cuGraphRetainUserObject).
    [[nodiscard]] driver::CUgraph native_handle() const;

    /// Ends a capture and destroys the graph (cuStreamEndCapture, cuGraphDestroy). Graphs instantiated from it remain valid.
    /// Closing again has no effect.
    void close();

private:
    friend class GraphPosition;
    friend class GraphRef;
    class State;
    explicit GraphBuilder(detail::PrivateState<State> state) noexcept;
    State& state() const;
    void embed_graph(driver::CUgraph child, const std::vector<std::shared_ptr<const void>>& objects) const;
    driver::CUgraphConditionalHandle create_handle(bool has_initial, unsigned int initial) const;
    std::vector<GraphBuilder> add_conditional(const char* function, const GraphCondition& condition,
                                              driver::CUgraphConditionalNodeType kind, unsigned int count) const;

    detail::PrivateState<State> state_;
};

/// The builders of the two graphs within a conditional node, from GraphBuilder::if_else().
struct IfElseBuilders {
    GraphBuilder then;       ///< captures the graph that runs if the condition is not 0
    GraphBuilder otherwise;  ///< captures the graph that runs if the condition is 0
};

}  // namespace CUBIND_NAMESPACE
