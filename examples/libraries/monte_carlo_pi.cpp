// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Estimates pi: the part of random points in a square that is within the quarter of a circle. cuRAND makes the points, and a
// kernel counts them.

#include <cubind/core.hpp>
#include <cubind/curand/loading.hpp>
#include <cubind/math/random.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr const char* source = R"(
    extern "C" __global__ void count(const float* x, const float* y, size_t n, unsigned long long* inside) {
        unsigned long long own = 0;
        for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
            own += x[i] * x[i] + y[i] * y[i] <= 1;
        atomicAdd(inside, own);
    })";

int monte_carlo_pi() {
    if (library_path(curand::library()) == nullptr) return example::skip("cuRAND (nvidia-curand) was not found.");
    constexpr std::size_t n = std::size_t(1) << 24;
    constexpr int rounds = 16;
    const Device device;
    const Stream stream(device);
    Kernel count = Program(source).compile(CodeType::cubin).kernel("count");
    const auto points = device.allocate<float>(stream, 2 * n);
    auto inside = device.allocate<unsigned long long>(stream, 1);
    inside.fill(stream, std::byte{0});
    math::Random random(stream, {.generator = math::RandomGenerator::philox4x32_10, .seed = 42});
    for (int round = 0; round < rounds; ++round) {
        random.uniform(stream, points);
        launch(stream, {.grid = 512, .block = 256}, count, points.first(n), points.subspan(n), n, inside);
    }
    const double estimate = 4.0 * static_cast<double>(inside.get(stream, 0)) / (static_cast<double>(n) * rounds);

    const double error = std::fabs(estimate - std::numbers::pi);
    const double deviation = std::sqrt(std::numbers::pi * (4 - std::numbers::pi) / (static_cast<double>(n) * rounds));
    std::printf("Pi is about %.5f, which is %.1f standard deviations off.\n", estimate, error / deviation);
    return example::verdict(error < 5 * deviation, "the estimate is within five standard deviations of pi");
}

}  // namespace

int main() {
    return example::run(monte_carlo_pi);
}
