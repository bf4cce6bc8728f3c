// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Kernels and variables whose symbols only the compiler knows.

static __device__ int step = 3;

static __global__ void advance(int* number) {
    *number += step;
}

namespace {
__global__ void twice(int* number) {
    *number *= 2;
}
}  // namespace
