// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The first program to read. It compiles a kernel template at run time, loads it, and launches it on a stream. Copies before
// and after the launch move the data to the GPU and back.

#include <cubind/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 50000;

const char* const source = R"(
template <typename T>
__global__ void vector_add(const T* a, const T* b, T* c, size_t n)
{
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        c[i] = a[i] + b[i];
    }
}
)";

std::vector<float> random_numbers(unsigned int seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> distribution;
    std::vector<float> numbers(n);
    std::ranges::generate(numbers, [&] { return distribution(generator); });
    return numbers;
}

int vector_add() {
    const Device device;  // the current device, or device 0; no context needs to be made current
    const Stream stream(device);
    std::printf("%s, sm_%s\n", device.name().c_str(), device.arch().c_str());

    // A template has no code until it is instantiated. The name expression instantiates it, and is also the name of the
    // kernel.
    Program program(source, {.name = "vector_add.cu", .arch = "sm_" + device.arch(), .std = "c++17"});
    const ObjectCode code = program.compile(CodeType::ptx, {.name_expressions = {"vector_add<float>"}});
    const Kernel kernel = code.kernel("vector_add<float>");
    std::printf("%s compiled vector_add<float>: %zu bytes of %s, symbol %s\n", to_string(program.backend()), code.bytes().size(),
                to_string(code.kind()), kernel.name().c_str());

    const std::vector<float> a = random_numbers(1);
    const std::vector<float> b = random_numbers(2);
    std::vector<float> c(n);

    // All of these operations run in stream order, including the free of the buffers at the end of the function.
    TypedBuffer<float> device_a = device.allocate<float>(stream, n);
    TypedBuffer<float> device_b = device.allocate<float>(stream, n);
    TypedBuffer<float> device_c = device.allocate<float>(stream, n);
    copy(stream, device_a, a);
    copy(stream, device_b, b);

    const std::size_t block = 256;
    const unsigned int grid = blocks_for(n, block);
    launch(stream, {.grid = grid, .block = block}, kernel, device_a, device_b, device_c, n);

    copy(stream, c, device_c);
    stream.synchronize();

    // Host and device round a single addition in the same way, so the results must be equal.
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
    std::printf("%u blocks of %zu threads added %zu pairs; %zu sums are wrong\n", grid, block, n, wrong);
    return example::verdict(wrong == 0, "every sum equals the sum that the host computes");
}

}  // namespace

int main() {
    return example::run(vector_add);
}
