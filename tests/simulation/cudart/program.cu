// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A program of the runtime library as users write it: kernels, templates, variables of each kind, streams, a graph and printf.
#include <cstdio>
#include <vector>

__device__ int calls;
__constant__ float factors[4];
__managed__ int total = 5;

__global__ void scale(float* values, int count, int which) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    values[i] *= factors[which];
    atomicAdd(&calls, 1);
    if (i == 0) total += 7;
}

template <class T>
__global__ void fill(T* values, T value, int count) {
    extern __shared__ T shared[];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    shared[threadIdx.x] = value;
    __syncthreads();
    if (i < count) values[i] = shared[threadIdx.x];
}

__global__ void greet() {
    printf("thread %d\n", threadIdx.x);
}

#define CHECK(condition)                                                                        \
    do {                                                                                        \
        const cudaError_t last = cudaPeekAtLastError();                                         \
        if (!(condition)) {                                                                     \
            std::printf("line %d: %s: %s\n", __LINE__, #condition, cudaGetErrorName(last));     \
            return 1;                                                                           \
        }                                                                                       \
    } while (false)

int main() {
    constexpr int count = 1000;
    float* values = nullptr;
    cudaStream_t stream = nullptr;
    CHECK(cudaMalloc(&values, count * sizeof(float)) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    fill<float><<<(count + 127) / 128, 128, 128 * sizeof(float)>>>(values, 3.0f, count);
    CHECK(cudaGetLastError() == cudaSuccess);
    const float host_factors[4] = {1, 2, 3, 4};
    CHECK(cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(total == 5);
    scale<<<(count + 255) / 256, 256, 0, stream>>>(values, count, 2);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    std::vector<float> seen(count);
    CHECK(cudaMemcpy(seen.data(), values, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen.front() == 9 && seen.back() == 9);
    int host_calls = 0;
    CHECK(cudaMemcpyFromSymbol(&host_calls, calls, sizeof host_calls) == cudaSuccess);
    CHECK(host_calls == count && total == 12);

    greet<<<1, 2>>>();
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0) == cudaSuccess && blocks > 0);
    scale<<<1, 2048>>>(values, count, 2);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    scale<<<4, 256, 0, stream>>>(values, count, 1);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaMemcpy(seen.data(), values, sizeof(float), cudaMemcpyDefault) == cudaSuccess);
    CHECK(seen.front() == 18);

    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaMalloc(&values, count * sizeof(float)) == cudaSuccess);
    fill<float><<<(count + 127) / 128, 128, 128 * sizeof(float)>>>(values, 4.0f, count);
    CHECK(cudaMemcpy(seen.data(), values, sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen.front() == 4);
    std::puts("passed");
}
