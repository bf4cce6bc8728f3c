// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The interval of the median against published ranks, against its definition, and against samples of a known distribution.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "statistics.hpp"

namespace cubind::testing {
namespace {

using profile::Seconds;
using profile::Statistics;
using profile::detail::median_interval;
using profile::detail::MedianInterval;
using profile::detail::required_samples;
using profile::detail::Samples;

Statistics statistics_of(const std::vector<double>& values, double confidence = 0.95) {
    Samples samples;
    for (const double each : values) samples.add(each);
    return samples.statistics(confidence);
}

// Tables of order statistics count ranks from 1: for 10 values they have 2 and 9, with 0.979.
TEST(SweepStatisticsTest, HasTheRanksOfPublishedTables) {
    struct {
        std::size_t count, lower, upper;
        double coverage;
    } const known[] = {{6, 1, 6, 0.96875},   {10, 2, 9, 0.97852},   {15, 4, 12, 0.96484},
                       {20, 6, 15, 0.95861}, {50, 18, 33, 0.96716}, {100, 40, 61, 0.96480}};
    for (const auto& each : known) {
        const MedianInterval interval = median_interval(each.count, 0.95);
        EXPECT_EQ(interval.lower + 1, each.lower) << each.count;
        EXPECT_EQ(interval.upper + 1, each.upper) << each.count;
        EXPECT_NEAR(interval.coverage, each.coverage, 1e-5) << each.count;
    }
}

// Each sample is below or above the median of the distribution with equal probability, so that all 2^n ways are equally likely.
double counted_coverage(std::size_t count, std::size_t lower, std::size_t upper) {
    std::size_t covered = 0;
    for (std::size_t ways = 0; ways < std::size_t{1} << count; ++ways) {
        const auto below = static_cast<std::size_t>(std::popcount(ways));
        covered += below > lower && below <= upper;
    }
    return static_cast<double>(covered) / static_cast<double>(std::size_t{1} << count);
}

TEST(SweepStatisticsTest, HasTheCoverageOfItsDefinition) {
    for (std::size_t count = 1; count <= 16; ++count) {
        for (const double confidence : {0.5, 0.9, 0.95, 0.99}) {
            const MedianInterval interval = median_interval(count, confidence);
            EXPECT_EQ(interval.lower + interval.upper, count - 1);
            EXPECT_NEAR(interval.coverage, counted_coverage(count, interval.lower, interval.upper), 1e-12) << count;
            if (interval.lower > 0) {
                EXPECT_GE(interval.coverage, confidence) << count;
            }
            if (interval.lower + 2 <= interval.upper) {
                EXPECT_LT(counted_coverage(count, interval.lower + 1, interval.upper - 1), confidence)
                    << count << ", not the smallest";
            }
        }
    }
}

TEST(SweepStatisticsTest, ContainsTheMedianOfADistributionAsOftenAsStated) {
    std::mt19937_64 random(20261127);
    std::exponential_distribution<double> distribution;
    int contained = 0;
    for (int run = 0; run < 4000; ++run) {
        std::vector<double> values(21);
        std::generate(values.begin(), values.end(), [&] { return distribution(random); });
        const Statistics statistics = statistics_of(values);
        contained += statistics.lower.count() <= std::log(2.0) && std::log(2.0) <= statistics.upper.count();
    }
    EXPECT_NEAR(contained / 4000.0, median_interval(21, 0.95).coverage, 0.01);
}

TEST(SweepStatisticsTest, DoesNotUnderflowForManySamples) {
    const MedianInterval interval = median_interval(1'000'000, 0.95);
    EXPECT_NEAR(static_cast<double>(interval.upper - interval.lower), 2 * 1.96 * 500, 2);  // the normal distribution
    EXPECT_GE(interval.coverage, 0.95);
    EXPECT_LT(interval.coverage, 0.951);
}

TEST(SweepStatisticsTest, StatesHowManySamplesAConfidenceNeeds) {
    EXPECT_EQ(required_samples(0.5), 2u);
    EXPECT_EQ(required_samples(0.95), 6u);
    EXPECT_EQ(required_samples(0.99), 8u);
    EXPECT_EQ(median_interval(1, 0.95).coverage, 0);
    EXPECT_EQ(median_interval(5, 0.95).coverage, 0.9375);
}

TEST(SweepStatisticsTest, EqualsStatisticsOfTheWholeList) {
    std::mt19937_64 random(7);
    for (std::size_t count = 1; count < 60; ++count) {
        std::vector<double> values(count);
        std::generate(values.begin(), values.end(), [&] { return static_cast<double>(random() % 20) / 8; });
        const Statistics statistics = statistics_of(values);
        EXPECT_DOUBLE_EQ(statistics.mean.count(),
                         std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count));
        std::sort(values.begin(), values.end());
        EXPECT_EQ(statistics.minimum.count(), values.front());
        EXPECT_EQ(statistics.maximum.count(), values.back());
        EXPECT_EQ(statistics.median.count(), (values[(count - 1) / 2] + values[count / 2]) / 2);
        EXPECT_EQ(statistics.samples, count);
        EXPECT_LE(statistics.lower, statistics.median);
        EXPECT_GE(statistics.upper, statistics.median);
    }
}

TEST(SweepStatisticsTest, StatesTheSpread) {
    EXPECT_DOUBLE_EQ((Statistics{.median = Seconds(2), .lower = Seconds(1.9), .upper = Seconds(2.3)}).spread(), 0.1);
    EXPECT_EQ(Statistics{}.spread(), 0);
    EXPECT_EQ((Statistics{.upper = Seconds(1)}).spread(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace cubind::testing
