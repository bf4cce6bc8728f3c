// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds two vectors with the runtime API.
//
// Expected output:
// 1 device
// sum of 1000 elements: 1498500
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) sum[i] = a[i] + b[i];
}

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess) return 1;
    std::printf("%d device\n", devices);
    constexpr int count = 1000;
    std::vector<float> a(count), b(count), sum(count);
    for (int i = 0; i < count; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = 2.0f * static_cast<float>(i);
    }
    float* memory[3];
    for (float*& each : memory) cudaMalloc(&each, count * sizeof(float));
    cudaMemcpy(memory[0], a.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(memory[1], b.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(count + 127) / 128, 128>>>(memory[0], memory[1], memory[2], count);
    if (cudaMemcpy(sum.data(), memory[2], count * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    double total = 0;
    for (const float each : sum) total += each;
    std::printf("sum of %d elements: %.0f\n", count, total);
    for (float* each : memory) cudaFree(each);
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
