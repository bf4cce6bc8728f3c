// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/graph_builder.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>

#include "observed.hpp"

namespace cubind::testing {

using namespace cubind;

/// Long enough for what is let go at once.
inline constexpr std::chrono::milliseconds some_time{20};

/// What has captured a host function that adds 1.
inline GraphBuilder counting(const std::shared_ptr<std::atomic<int>>& number) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    builder.callback([number] { ++*number; });
    builder.end_building();
    return builder;
}

/// Launches of a graph, which itself is gone, that wait in a stream.
class WaitingLaunches {
public:
    explicit WaitingLaunches(StreamRef stream) {
        stream.launch_host_function([future = opened_.get_future().share()] { future.wait(); });
        const Graph graph = counting(held_).complete();
        for (int i = 0; i < count; ++i) graph.launch(stream);
    }
    static constexpr int count = 2;

    void let_go() { opened_.set_value(); }
    int done() const { return held_->load(); }
    bool is_kept() const { return held_.use_count() > 1; }

private:
    std::shared_ptr<std::atomic<int>> held_ = std::make_shared<std::atomic<int>>(0);
    std::promise<void> opened_;
};

inline void expect_kept_until_done(StreamRef stream) {
    WaitingLaunches launches(stream);
    EXPECT_FALSE(eventually([&] { return !launches.is_kept(); }, some_time));
    launches.let_go();
    stream.synchronize();
    EXPECT_EQ(launches.done(), WaitingLaunches::count);
    EXPECT_TRUE(eventually([&] { return !launches.is_kept(); }));
}

/// The same on streams that cubind does not own. A context has to be current.
inline void expect_kept_until_done_on_foreign_streams() {
    expect_kept_until_done(StreamRef::legacy_default());
    expect_kept_until_done(StreamRef::per_thread_default());
    const driver::CUstream foreign = check(driver::cuStreamCreate(0));
    expect_kept_until_done(foreign);
    check(driver::cuStreamDestroy(foreign));
}

/// A graph may end while the stream of its launch is captured, in whatever mode; what it used goes after that.
inline void expect_kept_while_captured(const Stream& stream) {
    const auto held = std::make_shared<std::atomic<int>>(0);
    std::optional<Graph> graph(counting(held).complete());
    graph->launch(stream);
    GraphBuilder builder(stream);
    builder.begin_building(CaptureMode::global);
    graph.reset();
    EXPECT_FALSE(eventually([&] { return held.use_count() == 1; }, some_time)) << "nobody can tell yet";
    EXPECT_NO_THROW(builder.end_building());
    EXPECT_TRUE(eventually([&] { return held.use_count() == 1; }));
    EXPECT_EQ(*held, 1);
}

}  // namespace cubind::testing
