// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Moments of each generator and distribution on a GPU, sequences, and captures.
#include <cubind/core.hpp>
#include <cubind/curand/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/random.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cubind::testing {
namespace {

using math::RandomGenerator;

struct Named {
    RandomGenerator generator;
    const char* name;
    bool is_quasi = false;
    bool has_64_bits = false;
};

constexpr Named all[] = {{RandomGenerator::xorwow, "xorwow"},
                         {RandomGenerator::mrg32k3a, "mrg32k3a"},
                         {RandomGenerator::mtgp32, "mtgp32"},
                         {RandomGenerator::mt19937, "mt19937"},
                         {RandomGenerator::philox4x32_10, "philox4x32_10"},
                         {RandomGenerator::sobol32, "sobol32", true},
                         {RandomGenerator::scrambled_sobol32, "scrambled_sobol32", true},
                         {RandomGenerator::sobol64, "sobol64", true, true},
                         {RandomGenerator::scrambled_sobol64, "scrambled_sobol64", true, true}};

constexpr std::size_t n = (1 << 16) + 1;  // odd

class RandomGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (library_path(curand::library()) == nullptr) GTEST_SKIP() << "cuRAND was not found";
        try {
            if (Device::count() == 0) GTEST_SKIP() << "there is no GPU";
        } catch (const Error&) {
            GTEST_SKIP() << "there is no driver";
        }
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed_));
    }

    [[nodiscard]] math::RandomOptions options(const Named& named) const {
        math::RandomOptions result{.generator = named.generator};
        if (!named.is_quasi) result.seed = seed_;
        return result;
    }

    /// Returns the numbers that a call fills.
    template <class Element, class Fill>
    static std::vector<double> filled(const math::RandomOptions& options, const Fill& fill, std::size_t count = n) {
        const Stream stream{Device()};
        auto buffer = Device().allocate<Element>(stream, count);
        math::Random random(stream, options);
        fill(random, stream, buffer);
        std::vector<Element> elements(count);
        copy(stream, elements, buffer);
        stream.synchronize();
        return {elements.begin(), elements.end()};
    }

    static void expect_moments(const std::vector<double>& numbers, double mean, double deviation, const std::string& what) {
        double sum = 0, squares = 0;
        for (const double each : numbers) sum += each;
        const double found = sum / static_cast<double>(numbers.size());
        for (const double each : numbers) squares += (each - found) * (each - found);
        const double spread = std::sqrt(squares / static_cast<double>(numbers.size()));
        // Six standard errors; that of the deviation of the log-normal numbers here is at most 4 times the one of normal ones.
        const double error = 6 * deviation / std::sqrt(static_cast<double>(numbers.size()));
        EXPECT_NEAR(found, mean, error) << what;
        EXPECT_NEAR(spread, deviation, 4 * error) << what;
    }

    const std::uint64_t seed_ = std::random_device()();
};

TEST_F(RandomGpuTest, GeneratesUniformNumbers) {
    const auto fill = [](auto& random, const Stream& stream, const auto& buffer) { random.uniform(stream, buffer); };
    for (const Named& each : all) {
        for (const auto& numbers : {filled<float>(options(each), fill), filled<double>(options(each), fill)}) {
            expect_moments(numbers, 0.5, std::sqrt(1.0 / 12), each.name);
            for (const double number : numbers) ASSERT_TRUE(number > 0 && number <= 1) << each.name << ": " << number;
        }
    }
}

TEST_F(RandomGpuTest, GeneratesNormalNumbersOfOddCounts) {
    const auto fill = [](auto& random, const Stream& stream, const auto& buffer) { random.normal(stream, buffer, 3, 0.5); };
    for (const Named& each : all) {
        for (const auto& numbers : {filled<float>(options(each), fill), filled<double>(options(each), fill)})
            expect_moments(numbers, 3, 0.5, each.name);
        for (const std::size_t count : {std::size_t(1), std::size_t(3)}) {
            for (const double number : filled<float>(options(each), fill, count)) {
                EXPECT_TRUE(each.is_quasi || (number != 0 && std::fabs(number - 3) < 5)) << each.name << ": " << number;
            }
        }
    }
}

TEST_F(RandomGpuTest, GeneratesLogNormalAndPoissonNumbers) {
    const auto lognormal = [](auto& random, const Stream& stream, const auto& buffer) {
        random.lognormal(stream, buffer, 0, 0.25);
    };
    const auto poisson = [](auto& random, const Stream& stream, const auto& buffer) { random.poisson(stream, buffer, 20); };
    const double variance = 0.25 * 0.25;
    for (const Named& each : all) {
        for (const auto& numbers : {filled<float>(options(each), lognormal), filled<double>(options(each), lognormal)})
            expect_moments(numbers, std::exp(variance / 2), std::sqrt((std::exp(variance) - 1) * std::exp(variance)), each.name);
        expect_moments(filled<std::uint32_t>(options(each), poisson), 20, std::sqrt(20.0), each.name);
    }
}

TEST_F(RandomGpuTest, GeneratesBits) {
    for (const Named& each : all) {
        const Stream stream{Device()};
        math::Random random(stream, options(each));
        const auto expect_balanced = [&](auto type) {
            using Element = decltype(type);
            auto buffer = Device().allocate<Element>(stream, n);
            random.bits(stream, buffer);
            std::vector<Element> elements(n);
            copy(stream, elements, buffer);
            stream.synchronize();
            double ones = 0;  // of the upper bits: the lower ones of few quasi-random numbers are equal
            for (const Element element : elements)
                ones += std::popcount(static_cast<std::uint8_t>(element >> (8 * sizeof(Element) - 8)));
            EXPECT_NEAR(ones / (8 * n), 0.5, 0.01) << each.name;
        };
        if (!each.has_64_bits) expect_balanced(std::uint32_t());
        if (each.has_64_bits || !each.is_quasi) expect_balanced(std::uint64_t());
    }
}

TEST_F(RandomGpuTest, RepeatsSequencesOfEqualSeeds) {
    const auto fill = [](auto& random, const Stream& stream, const auto& buffer) { random.uniform(stream, buffer); };
    for (const Named& each : all) {
        const auto numbers = filled<float>(options(each), fill);
        EXPECT_EQ(filled<float>(options(each), fill), numbers) << each.name;
        const auto continued = [](auto& random, const Stream& stream, const auto& buffer) {
            random.uniform(stream, buffer);
            random.uniform(stream, buffer);
        };
        EXPECT_NE(filled<float>(options(each), continued), numbers) << each.name;
        if (each.is_quasi) continue;
        math::RandomOptions other = options(each);
        other.seed = seed_ + 1;
        EXPECT_NE(filled<float>(other, fill), numbers) << each.name;
        const std::uint64_t seed = seed_;
        const auto reseeded = [seed](auto& random, const Stream& stream, const auto& buffer) {
            random.uniform(stream, buffer);
            random.set_seed(seed);
            random.uniform(stream, buffer);
        };
        EXPECT_EQ(filled<float>(options(each), reseeded), numbers) << each.name;
    }
    for (const auto generator : {RandomGenerator::xorwow, RandomGenerator::philox4x32_10, RandomGenerator::sobol32}) {
        EXPECT_NE(filled<float>({.generator = generator, .offset = 1000}, fill), filled<float>({.generator = generator}, fill));
    }
}

TEST_F(RandomGpuTest, WritesQuasiRandomDimensionsOneAfterAnother) {
    constexpr std::size_t points = 1024;
    const auto fill = [](auto& random, const Stream& stream, const auto& buffer) { random.uniform(stream, buffer); };
    for (const auto generator : {RandomGenerator::sobol32, RandomGenerator::sobol64}) {
        const auto numbers = filled<double>({.generator = generator, .dimensions = 2}, fill, 2 * points);
        // 1,024 points of a two-dimensional Sobol sequence: each of 32 x 32 cells has one, but for the shift of the first point.
        std::vector<int> cells(points);
        for (std::size_t i = 0; i < points; ++i) {
            const auto column = std::min<std::size_t>(31, static_cast<std::size_t>(numbers[i] * 32));
            const auto row = std::min<std::size_t>(31, static_cast<std::size_t>(numbers[points + i] * 32));
            ++cells[32 * row + column];
        }
        std::size_t filled_cells = 0;
        for (const int count : cells) filled_cells += count != 0;
        EXPECT_GE(filled_cells, points - 64);
    }
}

TEST_F(RandomGpuTest, IsUsedOnTwoStreamsAndDestroyedWhileItsWorkRuns) {
    const Stream first{Device()}, second{Device()};
    const auto one = Device().allocate<float>(first, 1 << 20), other = Device().allocate<float>(second, 1 << 20);
    for (int i = 0; i < 10; ++i) {
        math::Random random(first, {.seed = seed_});
        random.normal(first, one);
        random.normal(second, other);
    }
    std::vector<float> numbers(1 << 20), others(1 << 20);
    copy(first, numbers, one);
    copy(second, others, other);
    first.synchronize();
    second.synchronize();
    expect_moments({numbers.begin(), numbers.end()}, 0, 1, "first stream");
    expect_moments({others.begin(), others.end()}, 0, 1, "second stream");
    EXPECT_NE(numbers, others);
}

// Prints what a generator does in a graph, which differs between generators and releases.
TEST_F(RandomGpuTest, IsCapturedIntoGraphsOrRefusesIt) {
    for (const Named& each : all) {
        const Stream stream{Device()};
        auto buffer = Device().allocate<float>(stream, 4096);
        buffer.fill(stream, -1.0f);
        math::Random random(stream, options(each));
        random.uniform(stream, buffer);
        stream.synchronize();
        const auto downloaded = [&] {
            std::vector<float> numbers(4096);
            copy(stream, numbers, buffer);
            stream.synchronize();
            return numbers;
        };
        try {
            GraphBuilder builder{Device()};
            builder.begin_building();
            random.uniform(builder, buffer);
            builder.end_building();
            Graph graph = builder.complete();
            buffer.fill(stream, -1.0f);
            graph.launch(stream);
            const auto numbers = downloaded();
            for (const float number : numbers) ASSERT_TRUE(number > 0 && number <= 1) << each.name;
            graph.launch(stream);
            std::printf("%s: captured, launches %s the sequence\n", each.name, downloaded() == numbers ? "repeat" : "continue");
        } catch (const std::exception& error) {
            std::printf("%s: refused: %s\n", each.name, error.what());
        }
    }
}

}  // namespace
}  // namespace cubind::testing
