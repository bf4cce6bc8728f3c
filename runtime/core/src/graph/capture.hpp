// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/stream.hpp>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "calls/graph_retention.hpp"
#include "graph/definition_state.hpp"
#include "graph/graph_work.hpp"
#include "graph/node_lists.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "lifetime/running_captures.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Retains the objects that a capture uses. All builders of one capture share it.
class CaptureRetainer final : public Retainer {
public:
    /// Retains objects in `retained` while `stream`, of this context, is being captured.
    CaptureRetainer(std::shared_ptr<RetainedObjects> retained, driver::CUstream stream, driver::CUcontext context)
        : running_(stream, context), retained_(std::move(retained)) {
        ++active_captures;
    }
    CaptureRetainer(const CaptureRetainer&) = delete;
    CaptureRetainer& operator=(const CaptureRetainer&) = delete;
    ~CaptureRetainer() { end_capture(); }

    void retain(std::shared_ptr<const void> object) override { retained_->add(std::move(object)); }
    const std::shared_ptr<RetainedObjects>& retained() const noexcept { return retained_; }

    void end_capture() noexcept {
        if (has_ended_.exchange(true)) return;
        --active_captures;
        running_.end();
    }
    bool has_ended() const noexcept { return has_ended_; }

private:
    std::atomic<bool> has_ended_ = false;
    RunningCapture running_;
    std::shared_ptr<RetainedObjects> retained_;
};

/// The end of the work that a stream has captured so far: the graph, and the nodes that the next node depends on.
struct CaptureEnd {
    driver::CUgraph graph;
    NodeList nodes;
    EdgeDataList edges;  ///< one for each node
};

/// Returns the end of the stream's capture. Throws Error if the capture is invalid.
CaptureEnd end_of_capture(driver::CUstream stream);

/// The stream of a builder: a stream of its own, or a stream of the caller. It has a retainer while it is capturing.
class BuilderStream {
public:
    explicit BuilderStream(ContextRef context);
    BuilderStream(ContextRef context, StreamRef borrowed);
    BuilderStream(const BuilderStream&) = delete;
    BuilderStream& operator=(const BuilderStream&) = delete;
    ~BuilderStream();

    StreamRef view() const noexcept { return StreamAccess::view(state_); }
    driver::CUstream handle() const noexcept { return state_->handle(); }
    bool has_ended() const noexcept { return state_->has_ended(); }
    void set_retainer(Retainer* retainer) noexcept { state_->set_retainer(retainer); }

private:
    StreamState* state_;
};

}  // namespace CUBIND_NAMESPACE::detail

namespace CUBIND_NAMESPACE {

class GraphBuilder::State {
public:
    /// What the builders of one captured graph share: the builder of the graph, its forks, and the builders of conditional nodes.
    struct Family {
        /// Ends all captures of bodies, because the graph ends or is destroyed.
        void end() noexcept;
        /// Returns whether a capture of a body is in progress.
        bool is_any_building() const noexcept;

        std::vector<State*> bodies;        ///< the builders of bodies: graphs within conditional nodes
        detail::NodeRecords conditionals;  ///< the records of conditional nodes
        bool has_ended = false;            ///< no more bodies can be captured
        bool has_failed = false;           ///< a body was not captured completely
    };

    explicit State(ContextRef context) : context(context), stream(context) {}
    explicit State(StreamRef borrowed) : context(borrowed.context()), stream(context, borrowed) {}
    /// Creates the state of a builder for a graph within a conditional node that `outer` captures.
    explicit State(State* outer);
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State();

    /// Ends the capture, if there is one, and destroys the captured graph.
    void abandon() noexcept;

    void begin_body(driver::CUstreamCaptureMode mode);
    void end_body();
    /// Ends the capture of a body, if there is one. The whole graph is unusable then.
    void abandon_body() noexcept;

    bool is_building() const noexcept { return retainer && !retainer->has_ended(); }
    /// Returns the captured graph; throws std::invalid_argument if there is none.
    driver::CUgraph captured_graph() const;
    /// Returns the objects that a graph instantiated now uses.
    detail::GraphObjects objects() const;
    /// Returns the same objects as one list.
    detail::ObjectList all_objects() const;
    /// Returns the definition whose view graph_definition() returns.
    detail::DefinitionState& explicit_definition();
    /// Makes the graph, and all graphs that the driver creates from it, retain the objects that its work uses.
    void retain_in_graph();
    /// Detaches the stream from the capture.
    void leave_capture() noexcept;

    ContextRef context;
    detail::BuilderStream stream;
    std::shared_ptr<detail::CaptureRetainer> retainer;  ///< while building
    std::shared_ptr<Family> family;                     ///< from begin_building() on
    bool is_fork = false;
    driver::CUgraph graph = nullptr;                      ///< after end_building()
    std::shared_ptr<detail::RetainedObjects> retained;    ///< objects that graphs instantiated from `graph` retain
    std::unique_ptr<detail::DefinitionState> definition;  ///< after graph_definition()
    bool is_retained_in_graph = false;

    bool is_body = false;                  ///< whether the builder captures a graph within a conditional node
    bool is_captured = false;              ///< whether that graph was captured
    driver::CUgraph body_graph = nullptr;  ///< that graph, which belongs to its node
};

}  // namespace CUBIND_NAMESPACE
