// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

#define THREADS 128
namespace limits {
constexpr int warps = 8;
struct Config { static constexpr int blocks = 3; };
enum { width = 16 };
__global__ void __launch_bounds__(warps * 32, Config::blocks) constants(int* p) {}
__global__ __launch_bounds__(width) void enumerator(int* p) {}
}
__global__ void __launch_bounds__(THREADS) macro(int* p) {}
__global__ void __launch_bounds__((64 + 64) * 2 / 4) computed(int* p) {}
__global__ void __launch_bounds__(sizeof(int) * 32) unknown(int* p) {}
