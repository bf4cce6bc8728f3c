// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shared by both SAXPY programs: the kernel, the data, and the check and report of the results.

#include <cstddef>
#include <cstdio>
#include <vector>

namespace saxpy {

constexpr unsigned int threads = 512;
constexpr unsigned int blocks = 32768;
constexpr std::size_t n = std::size_t{threads} * blocks;
constexpr int timed_launches = 100;

constexpr const char* source = R"(
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, size_t n) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}
)";

/// With small integers and a = 2.5, every sum is exact.
constexpr float a = 2.5f;

inline std::vector<float> numbers(std::size_t period) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % period);
    return values;
}

/// Checks the results, prints the time of a launch in microseconds, and returns the exit status.
inline int finish(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& out, float milliseconds) {
    for (std::size_t i = 0; i < n; ++i) {
        if (out[i] == a * x[i] + y[i]) continue;
        std::fprintf(stderr, "element %zu has the wrong value %g\n", i, static_cast<double>(out[i]));
        return 1;
    }
    std::printf("%f\n", static_cast<double>(milliseconds) * 1000 / timed_launches);
    return 0;
}

}  // namespace saxpy
