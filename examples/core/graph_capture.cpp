// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Captures repeated work into a graph once, and then launches the graph with one call. A GraphBuilder can be used in
// place of a stream. The graph has two concurrent branches that join. An update gives the graph other arguments.

#include <cubind/core.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 10000;
constexpr int launches = 100;
const LaunchConfig config{.grid = blocks_for(n, 256), .block = 256};

const char* const source = R"(
extern "C" __global__ void add(unsigned int* data, unsigned int value, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) data[i] += value;
}

extern "C" __global__ void multiply(unsigned int* data, unsigned int factor, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) data[i] *= factor;
}
)";

using Function = KernelFunction<void(unsigned int*, unsigned int, std::size_t)>;

struct Kernels {
    Function add;
    Function multiply;
};

// The work is left = (left + 1) * factor and right = right + factor. It can be submitted to a stream and to a builder.
void submit_left(StreamRef stream, const Kernels& kernels, TypedBuffer<unsigned int>& left, unsigned int factor) {
    kernels.add(stream, config, left, 1, n);
    kernels.multiply(stream, config, left, factor, n);
}

void submit_right(StreamRef stream, const Kernels& kernels, TypedBuffer<unsigned int>& right, unsigned int factor) {
    kernels.add(stream, config, right, factor, n);
}

GraphBuilder capture(Device device, const Kernels& kernels, TypedBuffer<unsigned int>& left, TypedBuffer<unsigned int>& right,
                     unsigned int factor, std::atomic<int>& calls) {
    GraphBuilder builder(device);
    builder.begin_building();
    std::vector<GraphBuilder> forks = builder.split(1);
    submit_left(builder, kernels, left, factor);
    submit_right(forks[0], kernels, right, factor);
    builder.join(std::move(forks));
    builder.callback([&calls] { ++calls; });
    builder.end_building();
    return builder;
}

template <class Work>
double microseconds_each(const Stream& stream, Work work) {
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i) work();
    stream.synchronize();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / launches;
}

int graph_capture() {
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "kernels.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::ptx);
    const Kernels kernels{Function(code.kernel("add"), device), Function(code.kernel("multiply"), device)};

    TypedBuffer<unsigned int> left = device.allocate<unsigned int>(stream, n);
    TypedBuffer<unsigned int> right = device.allocate<unsigned int>(stream, n);
    fill(stream, left, 0);
    fill(stream, right, 0);

    std::atomic<int> calls = 0;
    const double one_by_one = microseconds_each(stream, [&] {
        submit_left(stream, kernels, left, 3);
        submit_right(stream, kernels, right, 3);
        stream.launch_host_function([&calls] { ++calls; });
    });

    // The graph retains the objects that it uses: kernels, buffers and the callback.
    const Graph graph = capture(device, kernels, left, right, 3, calls).complete();
    graph.upload(stream);
    const double as_graph = microseconds_each(stream, [&] { graph.launch(stream); });

    // An update replaces an argument without a new instantiation. Different work requires a new graph.
    graph.update(capture(device, kernels, left, right, 5, calls));
    const double updated = microseconds_each(stream, [&] { graph.launch(stream); });

    std::vector<unsigned int> lefts(n);
    std::vector<unsigned int> rights(n);
    copy(stream, lefts, left);
    copy(stream, rights, right);
    stream.synchronize();

    unsigned int expected_left = 0;  // numbers wrap around on the host as on the device
    unsigned int expected_right = 0;
    for (const unsigned int factor : {3u, 3u, 5u}) {
        for (int i = 0; i < launches; ++i) expected_left = (expected_left + 1) * factor, expected_right += factor;
    }
    std::printf("%s: 3 kernels and a host function, %d times\n", device.name().c_str(), launches);
    std::printf("  one by one:     %7.2f us each time\n", one_by_one);
    std::printf("  as a graph:     %7.2f us\n", as_graph);
    std::printf("  after an update:%7.2f us\n", updated);
    const bool right_values = std::ranges::count(lefts, expected_left) == std::ssize(lefts) &&
                              std::ranges::count(rights, expected_right) == std::ssize(rights);
    std::printf("every element is %u and %u; the host function was called %d times\n", lefts[0], rights[0], calls.load());
    return example::verdict(right_values && calls == 3 * launches, "stream, graph and update compute the same, once per launch");
}

}  // namespace

int main() {
    return example::run(graph_capture);
}
