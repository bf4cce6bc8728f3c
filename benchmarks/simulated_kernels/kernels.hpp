// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The kernels of the benchmark as plain C++, for one core. native.cpp is compiled with -O2.
namespace native {

void saxpy(float a, const float* x, float* y, int n);
void mandelbrot(int* out, int width, int height, int limit);
/// Multiplies square matrices by tiles of 16 x 16, as the kernel does.
void multiply(const float* a, const float* b, float* c, int n);
/// Adds the accelerations by `n` bodies {x, y, z, mass} to each of them.
void bodies(const float* bodies, float* accelerations, int n);
/// Sorts each group of 1024 numbers by a bitonic network.
void sort(int* data, int groups);
void reduce(const float* x, float* sum, int n);

}  // namespace native
