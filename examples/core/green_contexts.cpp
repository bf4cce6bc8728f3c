// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Runs two kernels at the same time, twice. First they share the device: the large kernel occupies all SMs, and the small one
// waits until blocks of it end. Then each kernel has its own SMs, in a green context, so that the small one runs at once. Prints
// how long the small kernel took, and checks its results.

#include <cubind/core.hpp>
#include <cubind/driver/version.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int block = 256;
constexpr unsigned int large_blocks = 2048;
constexpr unsigned int small_blocks = 8;
constexpr unsigned int sms_of_small = 8;

// Each thread computes a sum in a loop of a given number of steps.
const char* const source = R"(
extern "C" __global__ void sum(unsigned int* out, unsigned int steps)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int value = i;
    for (unsigned int step = 0; step < steps; ++step) {
        value = value * 1664525u + 1013904223u;
    }
    out[i] = value;
}
)";

using Sum = KernelFunction<void(unsigned int*, unsigned int)>;

unsigned int expected(unsigned int i, unsigned int steps) {
    unsigned int value = i;
    for (unsigned int step = 0; step < steps; ++step) value = value * 1664525u + 1013904223u;
    return value;
}

// Each kernel writes to its own memory.
struct Work {
    const Sum& sum;
    TypedBuffer<unsigned int> large;
    TypedBuffer<unsigned int> small;
    unsigned int large_steps = 16;
    unsigned int small_steps = 16;
};

// Returns the number of steps for which the large kernel takes about 5 ms.
unsigned int steps_of_large(StreamRef stream, const Work& work) {
    const auto run = [&](unsigned int steps) {
        const Event start = stream.record({.timing_enabled = true});
        work.sum(stream, {.grid = large_blocks, .block = block}, work.large, steps);
        const Event stop = stream.record({.timing_enabled = true});
        stop.synchronize();
        return stop - start;
    };
    unsigned int steps = 16;
    (void)run(steps);  // the first launch takes longer: it loads the code onto the device
    while (run(steps) < Milliseconds(5) && steps < (1u << 20)) steps *= 2;
    return steps;
}

// Starts the large kernel in one stream, then the small one in the other. Returns how long the small one took, waiting included.
Milliseconds time_of_small(const Work& work, StreamRef large_stream, StreamRef small_stream) {
    const Event start = small_stream.record({.timing_enabled = true});
    large_stream.wait(start);
    work.sum(large_stream, {.grid = large_blocks, .block = block}, work.large, work.large_steps);
    work.sum(small_stream, {.grid = small_blocks, .block = block}, work.small, work.small_steps);
    const Event stop = small_stream.record({.timing_enabled = true});
    large_stream.synchronize();
    stop.synchronize();
    return stop - start;
}

std::size_t wrong_values(StreamRef stream, const TypedBuffer<unsigned int>& memory, unsigned int steps) {
    std::vector<unsigned int> values(memory.count());
    copy(stream, values, memory);
    stream.synchronize();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); i += 1009) wrong += values[i] != expected(static_cast<unsigned int>(i), steps);
    return wrong;
}

int green_contexts() {
    if (const int version = check(driver::cuDriverGetVersion()); version < 12050) {
        return example::skip("streams in green contexts need a driver of CUDA 12.5 or newer.");
    }
    const Device device;
    Program program(source, {.name = "sum.cu", .arch = "sm_" + device.arch()});
    const Sum sum(program.compile(CodeType::ptx).kernel("sum"), device);
    const Stream first(device);
    const Stream second(device);
    Work work{sum, device.allocate<unsigned int>(first, std::size_t{large_blocks} * block),
              device.allocate<unsigned int>(first, std::size_t{small_blocks} * block)};
    work.large_steps = steps_of_large(first, work);

    const Milliseconds shared = time_of_small(work, first, second);
    std::size_t wrong = wrong_values(second, work.small, work.small_steps);

    const SmSplit parts = device.resources().sm().split({.count = sms_of_small, .groups = 1});
    const GreenContext critical(device, parts.groups[0]);
    const GreenContext background(device, parts.remainder);
    const Stream critical_stream = critical.create_stream();
    const Stream background_stream = background.create_stream();
    const Milliseconds isolated = time_of_small(work, background_stream, critical_stream);
    wrong += wrong_values(critical_stream, work.small, work.small_steps);
    wrong += wrong_values(background_stream, work.large, work.large_steps);

    std::printf("%s: %u SMs, of which the small kernel has %u in its green context and the large one %u\n", device.name().c_str(),
                device.resources().sm().count(), critical.resources().sm().count(), background.resources().sm().count());
    std::printf("the small kernel took %8.3f ms when both kernels shared the device\n", static_cast<double>(shared.count()));
    std::printf("                  and %8.3f ms in its own green context\n", static_cast<double>(isolated.count()));
    const bool is_split = critical.resources().sm().count() >= sms_of_small && !parts.remainder.is_empty();
    return example::verdict(wrong == 0 && is_split, "both kernels computed the right sums, on the device and in green contexts");
}

}  // namespace

int main() {
    return example::run(green_contexts);
}
