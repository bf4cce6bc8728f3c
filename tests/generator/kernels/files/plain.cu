// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Adds a vector, scaled, to another.
__global__ void saxpy(float a, const float* __restrict__ x, float* y, size_t n) {
    const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
