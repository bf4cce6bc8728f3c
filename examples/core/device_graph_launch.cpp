// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A graph that launches graphs. The host launches a scheduler once. In each round, the scheduler's kernel reads the next letter
// of a program and launches the graph for it, "double" or "add one"; then it launches its own graph for the next round. The order
// is chosen on the device, without the host.

#include <cubind/core.hpp>
#include <cubind/find.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int n = 1000;
constexpr std::string_view rounds = "ADDADADDDAAD";  // add one or double

// The declarations of the device runtime are known to NVRTC in relocatable code.
const char* const source = R"(
struct State { char program[16]; unsigned int round, rounds, error; };

extern "C" __global__ void add_one(unsigned int* data, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

extern "C" __global__ void twice(unsigned int* data, unsigned int n)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

// A tail launch waits for this graph and for the graphs that it launched.
extern "C" __global__ void schedule(State* state, cudaGraphExec_t add_one, cudaGraphExec_t twice)
{
    cudaGraphExec_t next = state->program[state->round] == 'A' ? add_one : twice;
    state->error |= cudaGraphLaunch(next, cudaStreamGraphFireAndForget);
    if (++state->round < state->rounds) state->error |= cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
)";

struct State {
    std::array<char, 16> program;
    unsigned int round, rounds, error;
};

// Compiles the kernels and links them with the library of the device runtime.
ObjectCode kernels(Device device, const std::string& library) {
    const std::string arch = "sm_" + device.arch();
    Program program(source, {.name = "kernels.cu", .arch = arch, .relocatable_device_code = true});
    Linker linker({program.compile(CodeType::ptx), ObjectCode::from_file(CodeType::library, library)}, {.arch = arch});
    return linker.link();
}

int device_graph_launch() {
    const Device device;
    const Location library = locate(ArtifactKind::static_library, "cudadevrt");
    if (!library.ok()) return example::skip("the library of the device runtime, libcudadevrt.a of the toolkit, was not found.");
    const ObjectCode code = kernels(device, library.path);

    const Stream stream(device);
    TypedBuffer<unsigned int> data = device.allocate<unsigned int>(stream, n);
    TypedBuffer<State> state = device.allocate<State>(stream, 1);
    fill(stream, data, 0u);
    State host{{}, 0, rounds.size(), 0};
    std::copy(rounds.begin(), rounds.end(), host.program.begin());
    copy(stream, state, host);

    // Kernels can launch graphs that were instantiated for that and uploaded.
    const GraphCompleteOptions for_device{.device_launch = true, .upload_stream = stream};
    const LaunchConfig config{.grid = (n + 255) / 256, .block = 256};
    GraphDefinition add_one_definition(device), twice_definition(device), scheduler_definition(device);
    add_one_definition.launch(config, code.kernel("add_one"), data, n);
    twice_definition.launch(config, code.kernel("twice"), data, n);
    const Graph add_one = add_one_definition.instantiate(for_device);
    const Graph twice = twice_definition.instantiate(for_device);
    scheduler_definition.launch({}, code.kernel("schedule"), state, add_one.native_handle(), twice.native_handle());
    const Graph scheduler = scheduler_definition.instantiate(for_device);
    scheduler.launch(stream);

    std::vector<unsigned int> result(n);
    copy(stream, result, data);
    copy(stream, host, state);
    stream.synchronize();

    unsigned int right = 0;
    for (const char letter : rounds) right = letter == 'A' ? right + 1 : right * 2;
    std::printf("%s: one launch by the host, %u rounds, %u launches by kernels, each value is %u\n", device.name().c_str(),
                host.round, 2 * host.round - 1, result[0]);
    return example::verdict(host.error == 0 && host.round == rounds.size() && std::ranges::count(result, right) == n,
                            "the graphs ran in the order that the kernel chose");
}

}  // namespace

int main() {
    return example::run(device_graph_launch);
}
