// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A kernel whose blocks wait for each other. A cooperative launch runs all blocks at the same time, so one kernel can do
// the work of two: sum all numbers, then divide each number by the sum. The whole grid must fit on the device at once.
// The occupancy calculation returns the number of blocks that fit. (With the toolkit's cooperative_groups.h, the barrier
// is cg::this_grid().sync().)

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int n = 1u << 20;
constexpr int block = 256;

const char* const source = R"(
// Returns when every block has called the function. If not all blocks run at the same time, it may never return.
__device__ void wait_for_all_blocks(unsigned int* arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // makes the writes of this block visible to the others
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
    if (!device.properties().cooperative_launch()) return example::skip(device.name() + " has no cooperative launches.");

    Program program(source, {.name = "normalize.cu", .arch = "sm_" + device.arch()});
    const Kernel kernel = program.compile(CodeType::ptx).kernel("normalize");

    const int blocks_each = kernel.occupancy(device).max_active_blocks_per_multiprocessor(block);
    const int multiprocessors = device.properties().multiprocessor_count();
    const int grid = blocks_each * multiprocessors;
    std::printf("%s: %d multiprocessors run %d blocks of %d threads each, %d at once\n", device.name().c_str(), multiprocessors,
                blocks_each, block, grid);

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

    return example::verdict(wrong == 0 && device_total == total, "sum and quotients equal the results of the host");
}

}  // namespace

int main() {
    return example::run(cooperative_launch);
}
