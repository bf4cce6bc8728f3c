// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// toolkit: cub/block/block_reduce.cuh
// instance: sum_block<float, 128>

#include <cub/block/block_reduce.cuh>
template <class T, int Threads>
__global__ void __launch_bounds__(Threads) sum_block(const T* in, T* out) {
    using Reduce = cub::BlockReduce<T, Threads>;
    __shared__ typename Reduce::TempStorage storage;
    const T total = Reduce(storage).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0) *out = total;
}
__global__ void __launch_bounds__(64) largest(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 64>;
    __shared__ Reduce::TempStorage storage;
    const int found = Reduce(storage).Reduce(in[threadIdx.x], [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x == 0) *out = found;
}
