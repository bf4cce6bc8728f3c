// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds the numbers of managed memory in two streams, with warps, shared memory, a constant and events.
//
// Expected output:
// 523776 1047552
// the events are in order
#include <cstdio>

__constant__ int factors[2] = {1, 2};
__managed__ unsigned totals[2];

__global__ void add_up(const unsigned* numbers, int which) {
    __shared__ unsigned sums[32];
    unsigned value = numbers[blockIdx.x * blockDim.x + threadIdx.x] * static_cast<unsigned>(factors[which]);
    for (int distance = 16; distance != 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned sum = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) sum += sums[i];
    atomicAdd(&totals[which], sum);
}

int main() {
    constexpr unsigned count = 1024;
    unsigned* numbers = nullptr;
    if (cudaMallocManaged(&numbers, count * sizeof(unsigned)) != cudaSuccess) return 1;
    for (unsigned i = 0; i < count; ++i) numbers[i] = i;
    cudaStream_t streams[2];
    cudaEvent_t events[2];
    for (int i = 0; i < 2; ++i) {
        cudaStreamCreate(&streams[i]);
        cudaEventCreate(&events[i]);
        add_up<<<4, count / 4, 0, streams[i]>>>(numbers, i);
        cudaEventRecord(events[i], streams[i]);
        if (i == 0) cudaStreamSynchronize(streams[i]);
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::printf("%u %u\n", totals[0], totals[1]);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, events[0], events[1]);
    std::printf("the events are %s\n", milliseconds >= 0 ? "in order" : "not in order");
    cudaFree(numbers);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
