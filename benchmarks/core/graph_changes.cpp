// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times changes of a node of an executable graph, and launches of a graph with a condition, through the high-level layer and
/// through a function pointer. benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/graph/graph_condition.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/driver/types.hpp>

#include <cstdio>
#include <exception>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr const char* ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry three(.param .u64 a, .param .u64 b, .param .u32 c) { ret; }
)";

constexpr cubind::LaunchConfig config{.grid = 2, .block = 64};

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::Kernel kernel = cubind::ObjectCode::from_bytes(cubind::CodeType::ptx, ptx).kernel("three");
    cubind::GraphDefinition definition{device};
    cubind::KernelNode node = definition.launch(config, kernel, CUdeviceptr{0}, CUdeviceptr{0}, 0u);
    cubind::Graph graph = definition.instantiate();
};

void add_updates(Alternation& calls, Setup& with) {
    const auto add = [&](const char* way, auto one) { calls.add("graph node update", way, batch, one); };
    add("plain",
        [&with,
         update = plain<CUresult(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*)>("cuGraphExecKernelNodeSetParams_v2"),
         kernel = with.kernel.native_handle(), graph = with.graph.native_handle(), node = with.node.native_handle()] {
            CUdeviceptr first = 0, second = 0;
            unsigned int third = 0;
            void* arguments[] = {&first, &second, &third};
            CUDA_KERNEL_NODE_PARAMS params{};
            params.gridDimX = 2;
            params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
            params.blockDimX = 64;
            params.kernelParams = arguments;
            params.kern = kernel;
            expect(update(graph, node, &params));
        });
    add("graph[node].update", [&with] { with.graph[with.node].update(config, with.kernel, CUdeviceptr{0}, CUdeviceptr{0}, 0u); });
}

// The condition is 0, so that a launch evaluates it and runs no body.
void add_conditional_launches(Alternation& calls, Setup& with) {
    static cubind::GraphDefinition definition(with.device);
    static cubind::Graph graph;
    try {
        definition.if_then(definition.create_condition(0)).then().launch(config, with.kernel, CUdeviceptr{0}, CUdeviceptr{0}, 0u);
        graph = definition.instantiate();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conditional launches are skipped: %s\n", error.what());
        return;
    }
    const auto add = [&](const char* way, auto one) { add_call(calls, "conditional graph launch", way, with.stream, one); };
    add("plain", [launch = plain<CUresult(CUgraphExec, CUstream)>("cuGraphLaunch"), native = graph.native_handle(),
                  stream = with.stream.native_handle()] { expect(launch(native, stream)); });
    add("Graph", [&with] { graph.launch(with.stream); });
}

void add(Alternation& calls) {
    static Setup& setup = *new Setup;
    add_updates(calls, setup);
    add_conditional_launches(calls, setup);
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
