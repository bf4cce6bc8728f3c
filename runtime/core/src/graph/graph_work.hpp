// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/stream_state.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "support/deferred.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The objects that the work of a graph uses, each stored once. Thread-safe.
class RetainedObjects {
public:
    /// Retains the object; nullptr is ignored.
    void add(std::shared_ptr<const void> object);
    bool empty() const;

private:
    mutable std::mutex mutex_;
    std::unordered_map<const void*, std::shared_ptr<const void>> objects_;
};

/// The objects that launches of a graph use, and the stream or event that shows when the last launch has completed. Launches of
/// one graph run one after another, so all have completed once the last one has. The driver could retain the objects as user
/// objects, but each launch would be several times slower.
class GraphWork final : public Deferred {
public:
    explicit GraphWork(std::shared_ptr<const RetainedObjects> retained) noexcept : retained_(std::move(retained)) {}

    void launch(driver::CUgraphExec graph, StreamRef stream);

    /// Returns whether all launches have completed.
    bool is_ready() noexcept override;

private:
    void launch_on_foreign_stream(driver::CUgraphExec graph, StreamRef stream);
    void record_last_launch();

    std::shared_ptr<const RetainedObjects> retained_;
    StreamUser last_stream_;     // stream of the last launch, if cubind owns it
    std::optional<Event> mark_;  // recorded after the last launch, unless there is a last_stream_
    driver::CUcontext context_of_mark_ = nullptr;
};

/// The state of a graph that cubind owns. Its work can outlive it.
class GraphState {
public:
    explicit GraphState(std::shared_ptr<const RetainedObjects> retained);
    GraphState(const GraphState&) = delete;
    GraphState& operator=(const GraphState&) = delete;
    ~GraphState();

    GraphWork& work() const noexcept { return *work_; }
    /// Replaces the work. The previous work is destroyed once its launches have completed.
    void set_work(std::unique_ptr<GraphWork> work) noexcept;
    /// Retains the objects of the work until the process ends, because launches can no longer be observed.
    void disown_work() noexcept { retain_until_exit(work_.release()); }

private:
    std::unique_ptr<GraphWork> work_;
};

}  // namespace CUBIND_NAMESPACE::detail
