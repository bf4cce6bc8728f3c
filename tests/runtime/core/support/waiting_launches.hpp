// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/core/graph_builder.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>

#include "observed.hpp"

namespace testing_core {

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

}  // namespace testing_core
