// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that contains the high-level layer. plugin_tests.cpp loads and unloads it.

#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/future.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/stream/thread_pool.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>

#include "task.hpp"

using namespace cubind;

namespace {

testing::Task wait_for(StreamRef stream, ThreadPool& threads, std::atomic<int>& count) {
    co_await completion(stream, threads);
    ++count;
}

/// Uses all classes whose objects are released only after the work that uses them. Returns whether the work has run and all
/// objects are released.
bool run() {
    const Device device;
    const Stream stream(device);
    const auto count = std::make_shared<std::atomic<int>>(0);
    std::promise<void> start;
    stream.launch_host_function([started = start.get_future().share(), count] { started.wait(); });
    {
        const Stream other(device);
        Buffer buffer = device.allocate(other, 64);
        GraphBuilder builder(device);
        builder.begin_building();
        fill(builder, buffer, 1);
        builder.callback([count] { ++*count; });
        builder.end_building();
        const Graph graph = builder.complete();
        graph.launch(stream);
        other.synchronize();
    }  // the graph ends before its launch
    std::atomic<int> resumed{0};
    auto threads = std::make_unique<ThreadPool>(2);
    const testing::Task task = wait_for(stream, *threads, resumed);
    std::future<void> done = future_of(stream);
    start.set_value();
    done.get();
    threads.reset();  // ends the coroutine, which also releases objects and so submits work
    stream.synchronize();
    device.synchronize();
    return resumed == 1 && *count == 1 && count.use_count() == 1 &&
           DeviceMemoryResource(device).attributes().used_mem_current() == 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int cubind_test_plugin() {
    try {
        return run() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
