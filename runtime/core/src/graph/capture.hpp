// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/core/detail/retainer.hpp>
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/stream.hpp>

#include <atomic>
#include <memory>
#include <utility>

#include "graph/kept_objects.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind::detail {

/// Keeps what a capture uses. The builders of one capture share it.
class CaptureKeeper final : public Retainer {
public:
    CaptureKeeper() { ++captures_under_way; }
    CaptureKeeper(const CaptureKeeper&) = delete;
    CaptureKeeper& operator=(const CaptureKeeper&) = delete;
    ~CaptureKeeper() { end(); }

    void retain(std::shared_ptr<const void> what) override { kept_->add(std::move(what)); }
    const std::shared_ptr<KeptObjects>& kept() const noexcept { return kept_; }

    /// Of the capture.
    void end() noexcept {
        if (!is_over_.exchange(true)) --captures_under_way;
    }
    bool is_over() const noexcept { return is_over_; }

private:
    std::atomic<bool> is_over_ = false;
    std::shared_ptr<KeptObjects> kept_ = std::make_shared<KeptObjects>();
};

/// A stream as a builder sees it: its own, or somebody's; with a retainer while it is captured.
class BuilderStream {
public:
    explicit BuilderStream(ContextRef context);
    BuilderStream(ContextRef context, StreamRef somebodys);
    BuilderStream(const BuilderStream&) = delete;
    BuilderStream& operator=(const BuilderStream&) = delete;
    ~BuilderStream();

    StreamRef view() const noexcept { return StreamAccess::view(state_); }
    driver::CUstream handle() const noexcept { return state_->handle(); }
    void set_retainer(Retainer* retainer) noexcept { state_->set_retainer(retainer); }

private:
    StreamState* state_;
};

}  // namespace cubind::detail

namespace cubind {

class GraphBuilder::State {
public:
    explicit State(ContextRef context) : context(context), stream(context) {}
    explicit State(StreamRef somebodys) : context(somebodys.context()), stream(context, somebodys) {}
    ~State();

    /// Ends the capture, if there is one, and drops what it gave.
    void abandon() noexcept;

    bool is_building() const noexcept { return retainer && !retainer->is_over(); }
    /// The graph; throws std::invalid_argument where there is none.
    driver::CUgraph built() const;
    /// Whatever the driver makes of the graph from now on keeps what its work uses.
    void keep_by_graph();
    /// The stream does its work again.
    void leave_capture() noexcept;

    ContextRef context;
    detail::BuilderStream stream;
    std::shared_ptr<detail::CaptureKeeper> retainer;  ///< while building
    bool is_fork = false;
    driver::CUgraph graph = nullptr;             ///< once built
    std::shared_ptr<detail::KeptObjects> kept;   ///< by graphs that are made of it
    bool is_kept_by_graph = false;
};

}  // namespace cubind
