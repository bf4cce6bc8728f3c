// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Graphs for several batch sizes share the memory of their intermediate results. The arena is as large as the largest graph
// needs, and not as large as all graphs together; a second capture gets the same addresses, so that it can update a graph.

#include <cubind/core.hpp>
#include <cubind/core/memory/arena_memory_resource.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

const char* const source = R"(
extern "C" __global__ void square(const float* x, float* y, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

extern "C" __global__ void add(const float* x, float* y, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) y[i] += x[i];
}
)";

using Function = KernelFunction<void(const float*, float*, std::size_t)>;

struct Work {
    Function square, add;
    ArenaMemoryResource arena;
    TypedBuffer<float> input, output;

    // Captures output = input^4 + input for the first n elements. The intermediate results are in the arena.
    GraphBuilder capture(Device device, std::size_t n) {
        const LaunchConfig config{.grid = blocks_for(n, 256), .block = 256};
        arena.rewind();
        GraphBuilder builder(device);
        builder.begin_building();
        auto squares = arena.allocate<float>(builder, n);
        auto sums = arena.allocate<float>(builder, n);
        square(builder, config, input, squares, n);
        square(builder, config, squares, sums, n);
        add(builder, config, input, sums, n);
        copy(builder, output.first(n), sums);
        builder.end_building();
        return builder;
    }
};

int shared_graph_memory() {
    const Device device;
    const Stream stream(device);
    const std::vector<std::size_t> sizes{1000, 4000, 16000};
    const std::size_t largest = sizes.back();
    const ObjectCode code = Program(source, {.arch = "sm_" + device.arch()}).compile(CodeType::ptx);
    Work work{Function(code.kernel("square"), device), Function(code.kernel("add"), device),
              ArenaMemoryResource(device.memory_resource(), stream, 2 * largest * sizeof(float) + 256),
              device.allocate<float>(stream, largest), device.allocate<float>(stream, largest)};
    fill(stream, work.input, 2.0f);
    stream.synchronize();

    std::vector<Graph> graphs;
    std::size_t separate = 0;
    for (const std::size_t n : sizes) {
        graphs.push_back(work.capture(device, n).complete());
        separate += work.arena.used();
    }
    bool right = work.arena.peak() < separate;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        fill(stream, work.output, 0.0f);
        graphs[i].launch(stream);
        std::vector<float> results(largest);
        copy(stream, results, work.output);
        stream.synchronize();
        for (std::size_t j = 0; j < largest; ++j) right = right && results[j] == (j < sizes[i] ? 18.0f : 0.0f);
    }
    graphs.front().update(work.capture(device, sizes.front()));  // the new capture has the same addresses
    std::printf("%zu graphs share %zu bytes; separate ones would need %zu\n", graphs.size(), work.arena.peak(), separate);
    return example::verdict(right, "each graph computes its part, in memory that all share");
}

}  // namespace

int main() {
    return example::run(shared_graph_memory);
}
