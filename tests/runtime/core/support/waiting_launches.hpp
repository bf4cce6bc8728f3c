// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "gate.hpp"
#include "observed.hpp"

namespace cubind::testing {

using namespace cubind;

/// A time within which an object would be released if nothing retained it.
inline constexpr std::chrono::milliseconds release_time{20};

/// Returns a builder with a captured host function that increments `number`.
inline GraphBuilder counting(const std::shared_ptr<std::atomic<int>>& number) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    builder.callback([number] { ++*number; });
    builder.end_building();
    return builder;
}

/// Launches of a destroyed graph that wait in a stream until start() is called.
class WaitingLaunches {
public:
    explicit WaitingLaunches(StreamRef stream) {
        stream.launch_host_function(gate_.blocker());
        const Graph graph = counting(held_).complete();
        for (int i = 0; i < count; ++i) graph.launch(stream);
    }
    static constexpr int count = 2;

    void start() { gate_.open(); }
    int done() const { return held_->load(); }
    bool is_retained() const { return held_.use_count() > 1; }

private:
    std::shared_ptr<std::atomic<int>> held_ = std::make_shared<std::atomic<int>>(0);
    Gate gate_;
};

/// Checks that launches on the stream retain the objects of a destroyed graph until they are done.
inline void expect_retained_until_done(StreamRef stream) {
    WaitingLaunches launches(stream);
    EXPECT_FALSE(eventually([&] { return !launches.is_retained(); }, release_time));
    launches.start();
    stream.synchronize();
    EXPECT_EQ(launches.done(), WaitingLaunches::count);
    EXPECT_FALSE(launches.is_retained());
}

/// Calls expect_retained_until_done() for streams that cubind does not own. A context must be current.
inline void expect_retained_until_done_on_foreign_streams() {
    expect_retained_until_done(StreamRef::legacy_default());
    expect_retained_until_done(StreamRef::per_thread_default());
    const driver::CUstream foreign = check(driver::cuStreamCreate(0));
    expect_retained_until_done(foreign);
    check(driver::cuStreamDestroy(foreign));
}

/// Checks that a graph can be destroyed while the stream of its launch is capturing, in the strictest mode, and that its
/// objects are released after the capture.
inline void expect_retained_while_capturing(const Stream& stream) {
    const auto held = std::make_shared<std::atomic<int>>(0);
    std::optional<Graph> graph(counting(held).complete());
    graph->launch(stream);
    GraphBuilder builder(stream);
    builder.begin_building(CaptureMode::global);
    graph.reset();
    EXPECT_FALSE(eventually([&] { return held.use_count() == 1; }, release_time)) << "the stream cannot be queried yet";
    EXPECT_NO_THROW(builder.end_building());
    stream.synchronize();
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(*held, 1);
}

}  // namespace cubind::testing
