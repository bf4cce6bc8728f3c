// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/stream_state.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <optional>

#include "graph/kept_objects.hpp"
#include "support/deferred.hpp"

namespace cubind::detail {

/// What the launches of a graph use, and where the last of them is: launches of one graph come one after another, so that all are done
/// when that is. The driver could keep the same as user objects, but then each launch takes it several times as long.
class GraphWork final : public Deferred {
public:
    explicit GraphWork(std::shared_ptr<const KeptObjects> kept) noexcept : kept_(std::move(kept)) {}

    void launch(driver::CUgraphExec graph, StreamRef stream);

    /// Whether its launches are done.
    bool is_ready() noexcept override;

private:
    void launch_elsewhere(driver::CUgraphExec graph, StreamRef stream);
    void mark_last();

    std::shared_ptr<const KeptObjects> kept_;
    StreamUser last_;            // the stream of the last launch, if that is an owned one
    std::optional<Event> mark_;  // where there is one, it comes after the last launch, unless there is a stream
    driver::CUcontext context_of_mark_ = nullptr;
};

/// Of a graph that cubind owns: its work, which goes on without it if need be.
class GraphState {
public:
    explicit GraphState(std::shared_ptr<const KeptObjects> kept);
    GraphState(const GraphState&) = delete;
    GraphState& operator=(const GraphState&) = delete;
    ~GraphState();

    GraphWork& work() const noexcept { return *work_; }
    /// The former work ends after its launches.
    void set_work(std::unique_ptr<GraphWork> work) noexcept;
    /// Nobody tells any more when launches are done: what they use is kept for good.
    void disown_work() noexcept { keep_for_good(work_.release()); }

private:
    std::unique_ptr<GraphWork> work_;
};

}  // namespace cubind::detail
