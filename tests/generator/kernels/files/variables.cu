// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

struct Entry { int key; float value; };
/// Weights of the filter.
__constant__ float weights[16];
__constant__ Entry entries[4];
__device__ int counter = 3;
__device__ float grid[2][3][4];
__device__ float4 corner;
__device__ float* pointer;
__managed__ int shared_count;
__device__ __managed__ double shared_values[8];
extern __device__ int elsewhere;
const int limit = 4;
template <class T> __device__ T scratch;
namespace state {
__device__ unsigned long long total;
__constant__ int table[] = {1, 2, 3};
}
extern "C" __device__ short tag;
__global__ void use(int* p) { *p = counter; }
