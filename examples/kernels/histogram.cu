// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#include <cub/block/block_histogram.cuh>

/// Adds to each of 256 counts how often its value occurs. Each block counts tiles of 1024 values in shared memory.
__global__ void __launch_bounds__(256) histogram(const unsigned char* values, size_t size, unsigned int* counts) {
    constexpr int threads = 256, per_thread = 4, bins = 256;
    constexpr int beyond = bins;  // the bin of the places behind the last value, because CUB counts whole tiles
    using Histogram = cub::BlockHistogram<int, threads, per_thread, bins + 1, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned int of_block[bins + 1];
    Histogram of_tile(storage);
    of_tile.InitHistogram(of_block);
    __syncthreads();
    constexpr size_t tile = size_t{threads} * per_thread;
    for (size_t start = blockIdx.x * tile; start < size; start += gridDim.x * tile) {
        int items[per_thread];
        for (int i = 0; i < per_thread; ++i) {
            const size_t at = start + i * threads + threadIdx.x;
            items[i] = at < size ? values[at] : beyond;
        }
        of_tile.Composite(items, of_block);
        __syncthreads();
    }
    for (int bin = threadIdx.x; bin < bins; bin += threads) atomicAdd(&counts[bin], of_block[bin]);
}
