// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/shared_ptr.hpp>
#include <cubind/core/graph.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cubind {

class Device;

/// What other calls are refused while work is captured, so that none of them goes missing from the graph.
enum class CaptureMode {
    relaxed,      ///< none
    this_thread,  ///< of this thread, those that might wait for or change what is captured
    global,       ///< of any thread
};

/// What debug_dot_print() writes besides the nodes' kinds and edges.
struct GraphDebugPrintOptions {
    bool verbose = false;  ///< everything that follows
    bool runtime_types = false;
    bool kernel_node_params = false;
    bool memcpy_node_params = false;
    bool memset_node_params = false;
    bool host_node_params = false;
    bool event_node_params = false;
    bool ext_semas_signal_node_params = false;
    bool ext_semas_wait_node_params = false;
    bool kernel_node_attributes = false;
    bool handles = false;
    bool mem_alloc_node_params = false;
    bool mem_free_node_params = false;
    bool batch_mem_op_node_params = false;
    bool extra_topo_info = false;
    bool conditional_node_params = false;
};

/// Captures work into a graph instead of doing it. Between begin_building() and end_building() it goes wherever a stream goes: launch(),
/// copy(), fill(), allocate(), host functions, events.
///
///     GraphBuilder builder(device);
///     builder.begin_building();
///     launch(builder, config, kernel, data, n);
///     builder.end_building();
///     Graph graph = builder.complete();
///     for (int i = 0; i < 100; ++i) graph.launch(stream);
///
/// The graph keeps what is used through the builder: kernels, buffers, host functions. The addresses in raw pointers are the caller's to
/// keep. One thread at a time uses a builder; it can be moved, not copied.
class GraphBuilder {
public:
    /// With a stream of its own on the device.
    explicit GraphBuilder(Device device);

    /// Captures what the stream is given, also through the stream itself; such work is done again after end_building(). The stream has to
    /// outlive the builder. A default stream cannot be captured.
    explicit GraphBuilder(StreamRef stream);

    GraphBuilder(GraphBuilder&&) noexcept;
    GraphBuilder& operator=(GraphBuilder&&) noexcept;
    ~GraphBuilder();

    /// Captures from now on (cuStreamBeginCapture). Throws std::invalid_argument if it is building or has a graph already.
    GraphBuilder& begin_building(CaptureMode mode = CaptureMode::relaxed);

    /// Ends the capture: there is a graph now (cuStreamEndCapture). Throws what made the capture invalid, or that forks were not joined;
    /// then there is none, and begin_building() starts anew.
    GraphBuilder& end_building();

    bool is_building() const noexcept;

    /// The stream that is captured; throws std::invalid_argument unless the builder is building.
    StreamRef stream() const;
    operator StreamRef() const { return stream(); }

    // ---- forks -----------------------------------------------------------------------------------------------------------

    /// `count` builders whose work comes after what was captured up to now, and beside each other's. All of them have to be joined, by
    /// this builder or one another, before end_building().
    std::vector<GraphBuilder> split(std::size_t count);

    /// What is captured from now on comes after the work of the forks, too, which are closed.
    void join(std::vector<GraphBuilder> forks);
    void join(GraphBuilder fork);

    /// Whether it came from split(), and end_building() is another builder's to call.
    bool is_join_required() const noexcept;

    // ---- work that only streams have elsewhere ---------------------------------------------------------------------------

    /// Calls `function()` at each launch, in graph order; see StreamRef::launch_host_function(). The graph keeps it.
    template <class Function>
    void callback(Function&& function) const {
        stream().launch_host_function(std::forward<Function>(function));
    }

    // ---- the graph -------------------------------------------------------------------------------------------------------

    /// A graph that can run (cuGraphInstantiateWithParams); as often as wanted.
    Graph complete(const GraphCompleteOptions& options = {}) const;

    /// Writes the graph in the DOT language of Graphviz to a file (cuGraphDebugDotPrint).
    void debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options = {}) const;

    /// The graph; it stays the builder's. Throws std::invalid_argument before end_building(). What the driver makes of it from then on
    /// keeps what the work uses, too, which makes each launch several times as long (cuGraphRetainUserObject).
    driver::CUgraph native_handle() const;

    /// Ends a capture and drops the graph; graphs that were made of it stay. Closing again does nothing.
    void close();

private:
    friend class GraphRef;
    class State;
    explicit GraphBuilder(std::unique_ptr<State> state) noexcept;
    State& state() const;

    std::unique_ptr<State> state_;
};

}  // namespace cubind
