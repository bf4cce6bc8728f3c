// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Chooses the block size of a kernel. The kernel's attributes contain its resource requirements. Its occupancy states how many
// threads run at once for each block size, and which block size is best. The calculation includes dynamic shared memory, here
// one float per thread.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int n = 1u << 22;

// Each block reverses its own part of the data.
const char* const source = R"(
extern "C" __global__ void reverse_parts(const float* in, float* out)
{
    extern __shared__ float part[];
    unsigned int first = blockIdx.x * blockDim.x;
    part[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    out[first + threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
)";

constexpr auto shared_memory_size = [](int block) { return static_cast<std::size_t>(block) * sizeof(float); };

bool is_reversed(const std::vector<float>& in, const std::vector<float>& out, std::size_t block) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t first = i / block * block;
        if (out[i] != in[first + block - 1 - (i - first)]) return false;
    }
    return true;
}

int occupancy() {
    const Device device;
    const DeviceProperties properties = device.properties();
    Program program(source, {.name = "reverse_parts.cu", .arch = "sm_" + device.arch()});
    const Kernel kernel = program.compile(CodeType::ptx).kernel("reverse_parts");
    const KernelAttributes attributes = kernel.attributes(device);
    const KernelOccupancy occupancy = kernel.occupancy(device);
    std::printf("%s: %d multiprocessors of %d threads\n", device.name().c_str(), properties.multiprocessor_count(),
                properties.max_threads_per_multiprocessor());
    std::printf("reverse_parts: %d registers per thread, blocks of up to %d threads\n", attributes.num_regs(),
                attributes.max_threads_per_block());

    std::vector<float> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i);
    const Stream stream(device);
    TypedBuffer<float> in = device.allocate<float>(stream, n);
    TypedBuffer<float> out = device.allocate<float>(stream, n);
    copy(stream, in, numbers);

    bool right = true;
    std::printf("  block   blocks per multiprocessor   occupancy   time\n");
    for (int block = 32; block <= attributes.max_threads_per_block(); block *= 2) {
        const int blocks = occupancy.max_active_blocks_per_multiprocessor(block, shared_memory_size(block));
        const LaunchConfig config{.grid = blocks_for(n, block), .block = block, .shared_memory_size = shared_memory_size(block)};
        launch(stream, config, kernel, in, out);  // warms up
        const Event start = stream.record({.timing_enabled = true});
        launch(stream, config, kernel, in, out);
        const Event stop = stream.record({.timing_enabled = true});
        std::vector<float> result(n);
        copy(stream, result, out);
        stream.synchronize();
        right = right && is_reversed(numbers, result, static_cast<std::size_t>(block));
        const double occupied = 100.0 * blocks * block / properties.max_threads_per_multiprocessor();
        std::printf("  %5d   %25d   %7.0f %%   %.4f ms\n", block, blocks, occupied, Milliseconds(stop - start).count());
    }

    // Computes the best block size if the shared memory grows with the block, and the shared memory that is available to each
    // block.
    const auto [grid, block] = occupancy.max_potential_block_size(shared_memory_size);
    const int blocks = occupancy.max_active_blocks_per_multiprocessor(block, shared_memory_size(block));
    const std::size_t available = occupancy.available_dynamic_shared_memory_per_block(blocks, block);
    std::printf("best: blocks of %d threads, at least %d of them; each may use %zu bytes of shared memory and uses %zu\n", block,
                grid, available, shared_memory_size(block));
    const bool is_consistent =
        blocks > 0 && grid <= blocks * properties.multiprocessor_count() && available >= shared_memory_size(block);
    return example::verdict(right && is_consistent,
                            "blocks of every size reverse their parts, and the results for the best block size are consistent");
}

}  // namespace

int main() {
    return example::run(occupancy);
}
