// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
extern "C" {
__global__ void fill(int* to, int value) { to[threadIdx.x] = value; }
namespace inner {
__global__ void clear(int* to) { to[threadIdx.x] = 0; }
}
}
