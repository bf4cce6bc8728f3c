// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

__global__ void solve(float* out, int steps = 8);
template <class T>
__global__ void reduce(T* out, int count = 4);
__global__ void __launch_bounds__(64) later(int);
__global__ void never(int* p);

__global__ void solve(float* out, int steps) { out[0] = steps; }
// instance: reduce<int>
template <class T>
__global__ void reduce(T* out, int) { *out = 1; }
__global__ void later(int value) {}
