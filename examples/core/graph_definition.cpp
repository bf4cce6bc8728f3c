// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Describes a graph by explicit nodes: a diamond of two independent branches between a first and a last node. The graph allocates
// its own scratch memory. It computes sum = square(x) + cube(x) for a new x at each launch.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 10000;
constexpr int launches = 3;
const LaunchConfig config{.grid = blocks_for(n, 256), .block = 256};

const char* const source = R"(
extern "C" __global__ void power(const unsigned int* x, unsigned int* result, unsigned int exponent, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    unsigned int product = 1;
    for (unsigned int k = 0; k < exponent; ++k) product *= x[i];
    result[i] = product;
}

extern "C" __global__ void sum(const unsigned int* a, const unsigned int* b, unsigned int* result, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) result[i] = a[i] + b[i];
}
)";

int graph_definition() {
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "kernels.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::ptx);
    const KernelFunction<void(const unsigned int*, unsigned int*, unsigned int, std::size_t)> power(code.kernel("power"), device);
    const KernelFunction<void(const unsigned int*, const unsigned int*, unsigned int*, std::size_t)> sum(code.kernel("sum"),
                                                                                                         device);

    std::vector<unsigned int> x(n);
    std::vector<unsigned int> result(n);
    TypedBuffer<unsigned int> device_x = device.allocate<unsigned int>(stream, n);
    stream.synchronize();

    GraphDefinition definition(device);
    const auto squares = definition.allocate<unsigned int>(n);
    const auto cubes = squares.allocate<unsigned int>(n);
    const CopyNode first = cubes.copy(device_x, x);  // reads the values of x at each launch
    const KernelNode square = first.launch(config, power, device_x, squares, 2, n);
    const KernelNode cube = first.launch(config, power, device_x, cubes, 3, n);  // runs beside the other kernel
    const KernelNode last = definition.after({square, cube}).launch(config, sum, squares, cubes, device_x, n);
    last.copy(result, device_x).free(squares).free(cubes);

    std::printf("%s: %zu nodes, %zu edges\n", device.name().c_str(), definition.nodes().size(), definition.edges().size());
    std::printf("the last kernel waits for %zu nodes\n", last.predecessors().size());

    const Graph graph = definition.instantiate();
    bool is_right = true;
    for (unsigned int launch = 1; launch <= launches; ++launch) {
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<unsigned int>(i) + launch;
        graph.launch(stream);
        stream.synchronize();
        for (std::size_t i = 0; i < n; ++i) is_right &= result[i] == x[i] * x[i] + x[i] * x[i] * x[i];  // wraps around
    }
    return example::verdict(is_right, "each launch computes square + cube of its numbers");
}

}  // namespace

int main() {
    return example::run(graph_definition);
}
