// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/core/detail/keeper.hpp>
#include <cubind/core/detail/stream_state.hpp>
#include <cubind/core/stream.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "support/relaxed_capture_mode.hpp"

namespace cubind::detail {

/// Has the graph of a capture keep each object once. The builders of one capture share it.
class CaptureKeeper final : public Keeper {
public:
    explicit CaptureKeeper(driver::CUstream origin) noexcept : origin_(origin) { ++captures_under_way; }
    ~CaptureKeeper() { end(); }
    void keep(std::shared_ptr<const void> what) override;

    /// Of the capture.
    void end() noexcept {
        if (!is_over_.exchange(true)) --captures_under_way;
    }
    bool is_over() const noexcept { return is_over_; }

private:
    driver::CUstream origin_;
    std::atomic<bool> is_over_ = false;
    std::mutex mutex_;
    std::unordered_set<const void*> kept_;
};

/// A stream as a builder sees it: its own, or somebody's; with a keeper while it is captured.
class BuilderStream {
public:
    explicit BuilderStream(ContextRef context);
    explicit BuilderStream(StreamRef somebodys);
    BuilderStream(const BuilderStream&) = delete;
    BuilderStream& operator=(const BuilderStream&) = delete;
    ~BuilderStream();

    StreamRef view() const noexcept { return StreamRef::of(state_); }
    driver::CUstream handle() const noexcept { return state_->handle(); }
    void set_keeper(Keeper* keeper) noexcept { state_->set_keeper(keeper); }

private:
    StreamState* state_;
};

}  // namespace cubind::detail

namespace cubind {

class GraphBuilder::State {
public:
    explicit State(ContextRef context) : context(context), stream(context) {}
    explicit State(StreamRef somebodys) : context(somebodys.context()), stream(somebodys) {}
    ~State();

    /// Ends the capture, if there is one, and drops what it gave.
    void abandon() noexcept;

    bool is_building() const noexcept { return keeper && !keeper->is_over(); }
    /// The stream does its work again.
    void leave_capture() noexcept;

    ContextRef context;
    detail::BuilderStream stream;
    std::shared_ptr<detail::CaptureKeeper> keeper;  ///< while building
    bool is_fork = false;
    driver::CUgraph graph = nullptr;  ///< once built
};

}  // namespace cubind
