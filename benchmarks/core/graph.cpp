// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times launches of a captured graph of one empty kernel, and the same launches through a function pointer. benchmarks/core_cost
/// runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>

#include <utility>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr const char* ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry none() { ret; }
)";

constexpr cubind::LaunchConfig config{.grid = 2, .block = 64};

cubind::GraphBuilder capture(cubind::Device device, const cubind::Kernel& kernel) {
    cubind::GraphBuilder builder(device);
    builder.begin_building();
    cubind::launch(builder, config, kernel);
    builder.end_building();
    return builder;
}

CUgraphExec instantiate(CUgraph graph) {
    const auto instantiated = cuGraphInstantiateWithFlags(graph, 0);
    expect(instantiated.status);
    return instantiated.value;
}

// Captures and instantiates the graph like a program that uses only the driver.
CUgraphExec plain_capture(CUstream stream, const cubind::Kernel& kernel) {
    expect(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status);
    cubind::launch(stream, config, kernel);
    const auto captured = cuStreamEndCapture(stream);
    expect(captured.status);
    return instantiate(captured.value);
}

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::Kernel kernel = cubind::ObjectCode::from_bytes(cubind::CodeType::ptx, ptx).kernel("none");
    cubind::Graph graph = capture(device, kernel).complete();
    CUgraphExec retaining_graph = instantiate(capture(device, kernel).native_handle());
    CUgraphExec plain_graph = plain_capture(stream.native_handle(), kernel);
};

void add(Alternation& calls) {
    static const Setup& setup = *new Setup;
    for (const auto& [way, graph] :
         {std::pair("plain", setup.plain_graph), std::pair("plain, driver retains the kernel", setup.retaining_graph)}) {
        add_call(calls, "graph launch", way, setup.stream,
                 [launch = plain<CUresult(CUgraphExec, CUstream)>("cuGraphLaunch"), graph = graph,
                  stream = setup.stream.native_handle()] { expect(launch(graph, stream)); });
    }
    add_call(calls, "graph launch", "Graph", setup.stream, [] { setup.graph.launch(setup.stream); });
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
