// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels with random numbers of libmathdx, whose moments the host checks.

#include "device_kernels.hpp"

namespace cubind::testing {

/// Checks moments of uniform and normal numbers, and that the numbers depend on the seed, the sequence and the offset only.
inline void expect_random(device::Generator generator, const std::string& arch) {
    const device::Random uniform(
        {.generator = generator, .distribution = device::Distribution::uniform, .arch = arch, .symbol = "uniform"});
    const device::Random normal(
        {.generator = generator, .distribution = device::Distribution::normal, .arch = arch, .symbol = "normal"});
    Kernel kernel = kernel_with({uniform, normal}, R"(
        extern "C" __global__ void fill(float* numbers, unsigned long long seed, unsigned skipped, bool is_normal) {
            const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
            float* own = numbers + thread * 16;
            if (is_normal) {
                normal_state state;
                normal_init(state, seed, thread);
                for (unsigned i = 0; i < 16; i += normal_traits::values) {
                    const auto values = normal_generate(state, 3, 2);
                    for (unsigned j = 0; j < normal_traits::values; ++j) own[i + j] = values[j];
                }
            } else {
                uniform_state state;
                uniform_init(state, seed, thread, 0);
                uniform_skip(state, skipped);
                for (unsigned i = 0; i < 16; i += uniform_traits::values) {
                    const auto values = uniform_generate(state, 0, 1);
                    for (unsigned j = 0; j < uniform_traits::values; ++j) own[i + j] = values[j];
                }
            }
        })",
                                "fill");
    SCOPED_TRACE(uniform.description());
    Stream stream{Device()};
    const auto numbers = [&](unsigned long long seed, unsigned int skipped, bool is_normal) {
        auto buffer = Device().allocate<float>(stream, std::size_t{8} * 64 * 16);
        launch(stream, {.grid = 8, .block = 64}, kernel, buffer, seed, skipped, is_normal);
        return downloaded(stream, buffer);
    };
    const auto moments = [](const std::vector<float>& values) {
        double mean = 0, variance = 0;
        for (const float value : values) mean += value;
        mean /= static_cast<double>(values.size());
        for (const float value : values) variance += (value - mean) * (value - mean);
        return std::pair(mean, variance / static_cast<double>(values.size()));
    };
    const auto flat = numbers(42, 0, false);
    const auto [mean, variance] = moments(flat);  // of 8192 numbers: the standard error of the mean is 0.0032
    EXPECT_NEAR(mean, 0.5, 0.016);
    EXPECT_NEAR(variance, 1.0 / 12, 0.005);
    EXPECT_GE(*std::min_element(flat.begin(), flat.end()), 0.0f);
    EXPECT_LE(*std::max_element(flat.begin(), flat.end()), 1.0f);
    const auto [center, spread] = moments(numbers(42, 0, true));
    EXPECT_NEAR(center, 3, 0.11);
    EXPECT_NEAR(spread, 4, 0.32);
    EXPECT_EQ(numbers(42, 0, false), flat);
    EXPECT_NE(numbers(43, 0, false), flat);
    // A step of the generator makes the numbers of a call.
    constexpr unsigned int steps = 2;
    const std::size_t skipped = std::size_t{steps} * uniform.traits().values;
    const auto later = numbers(42, steps, false);
    for (std::size_t thread = 0; thread < 512; ++thread) {
        for (std::size_t i = 0; i + skipped < 16; ++i) {
            ASSERT_EQ(later[thread * 16 + i], flat[thread * 16 + i + skipped]) << thread << ", " << i;
        }
    }
}

/// Checks moments of Poisson numbers, and the share of each bit.
inline void expect_integers(const std::string& arch) {
    const device::Random poisson({.generator = device::Generator::xorwow,
                                  .distribution = device::Distribution::poisson,
                                  .precision = math::Precision::u32,
                                  .arch = arch,
                                  .symbol = "poisson"});
    const device::Random bits(
        {.distribution = device::Distribution::bits, .precision = math::Precision::u32, .arch = arch, .symbol = "bits"});
    const Kernel kernel = kernel_with({poisson, bits}, R"(
        extern "C" __global__ void fill(unsigned* numbers, bool is_poisson) {
            const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
            unsigned* own = numbers + thread * 16;
            if (is_poisson) {
                poisson_state state;
                poisson_init(state, 11, thread);
                for (unsigned i = 0; i < 16; i += poisson_traits::values) {
                    const auto values = poisson_generate(state, 6.5);
                    for (unsigned j = 0; j < poisson_traits::values; ++j) own[i + j] = values[j];
                }
            } else {
                bits_state state;
                bits_init(state, 12, thread);
                for (unsigned i = 0; i < 16; i += bits_traits::values) {
                    const auto values = bits_generate(state);
                    for (unsigned j = 0; j < bits_traits::values; ++j) own[i + j] = values[j];
                }
            }
        })",
                                      "fill");
    Stream stream{Device()};
    const auto numbers = [&](bool is_poisson) {
        auto buffer = Device().allocate<unsigned int>(stream, std::size_t{8} * 64 * 16);
        launch(stream, {.grid = 8, .block = 64}, kernel, buffer, is_poisson);
        return downloaded(stream, buffer);
    };
    double sum = 0, squares = 0;
    const auto counts = numbers(true);
    for (const unsigned int count : counts) {
        sum += count;
        squares += static_cast<double>(count) * count;
    }
    const double mean = sum / static_cast<double>(counts.size());  // the standard error is 0.028
    EXPECT_NEAR(mean, 6.5, 0.14);
    EXPECT_NEAR(squares / static_cast<double>(counts.size()) - mean * mean, 6.5, 0.55);
    const auto words = numbers(false);
    for (unsigned int bit = 0; bit < 32; ++bit) {
        std::size_t ones = 0;
        for (const unsigned int word : words) ones += word >> bit & 1;
        EXPECT_NEAR(static_cast<double>(ones) / static_cast<double>(words.size()), 0.5, 0.028) << bit;  // five standard errors
    }
}

}  // namespace cubind::testing
