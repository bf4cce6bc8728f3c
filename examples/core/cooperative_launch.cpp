// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A kernel whose blocks wait for each other. A cooperative launch has all blocks run at the same time, so that one kernel can
// do what takes two otherwise: sum all numbers, and then divide each by the sum. The grid must fit onto the device at once:
// the occupancy tells how many blocks do. (With the toolkit's cooperative_groups.h the barrier is cg::this_grid().sync().)

#include "example.hpp"

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

using namespace cubind;

namespace {

constexpr unsigned int n = 1u << 20;
constexpr int block = 256;

const char* const source = R"(
// Returns when every block has come here. That may wait for ever, unless all blocks run at the same time.
__device__ void wait_for_all_blocks(unsigned int* arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // what this block wrote is there for the others
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void normalize(const unsigned int* in, double* out, unsigned long long* sum, unsigned int* arrived,
                                     unsigned int n)
{
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;
    unsigned long long own = 0;
    for (unsigned int i = first; i < n; i += threads) own += in[i];
    atomicAdd(sum, own);

    wait_for_all_blocks(arrived);  // now the sum is complete

    const double total = double(*(volatile unsigned long long*)sum);
    for (unsigned int i = first; i < n; i += threads) out[i] = in[i] / total;
}
)";

int cooperative_launch() {
    const Device device;
    if (!device.properties().cooperative_launch()) return example::skip(device.name() + " cannot launch cooperatively.");

    Program program(source, {.name = "normalize.cu", .arch = "sm_" + device.arch()});
    const Kernel kernel = program.compile(CodeType::ptx).kernel("normalize");

    const int blocks_each = kernel.occupancy(device).max_active_blocks_per_multiprocessor(block);
    const int multiprocessors = device.properties().multiprocessor_count();
    const int grid = blocks_each * multiprocessors;
    std::printf("%s: %d multiprocessors run %d blocks of %d threads each, %d at once\n", device.name().c_str(),
                multiprocessors, blocks_each, block, grid);

    std::vector<unsigned int> numbers(n);
    for (unsigned int i = 0; i < n; ++i) numbers[i] = i % 1000 + 1;
    const auto total = std::accumulate(numbers.begin(), numbers.end(), 0ull);

    const Stream stream(device);
    TypedBuffer<unsigned int> in = device.allocate<unsigned int>(stream, n);
    TypedBuffer<double> out = device.allocate<double>(stream, n);
    TypedBuffer<unsigned long long> sum = device.allocate<unsigned long long>(stream, 1);
    copy(stream, in, numbers);
    TypedBuffer<unsigned int> arrived = device.allocate<unsigned int>(stream, 1);
    fill(stream, sum, std::byte{0});
    fill(stream, arrived, 0);
    launch(stream, {.grid = grid, .block = block, .cooperative = true}, kernel, in, out, sum, arrived, n);

    std::vector<double> parts(n);
    unsigned long long device_total = 0;
    copy(stream, parts, out);
    copy(stream, device_total, sum);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += parts[i] != static_cast<double>(numbers[i]) / static_cast<double>(total);
    std::printf("one launch: the sum of %u numbers is %llu, %zu of the quotients are wrong\n", n, device_total, wrong);

    // With one block more, some would wait for blocks that cannot begin. That is refused rather than hangs.
    bool is_refused = false;
    try {
        launch(stream, {.grid = grid + 1, .block = block, .cooperative = true}, kernel, in, out, sum, arrived, n);
    } catch (const Error& error) {
        is_refused = true;
        std::printf("%d blocks: %s\n", grid + 1, error.what());
    }
    return example::verdict(wrong == 0 && device_total == total && is_refused,
                            "sum and quotients are those of the host, and a grid that does not fit is refused");
}

}  // namespace

int main() {
    return example::run(cooperative_launch);
}
