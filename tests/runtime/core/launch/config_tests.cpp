// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/launch_config.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "observed.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(LaunchConfigTest, AcceptsOneToThreeNumbers) {
    const LaunchConfig flat{.grid = 128, .block = 256};
    EXPECT_EQ(flat.grid, Dim3(128, 1, 1));
    EXPECT_EQ(flat.block, Dim3(256, 1, 1));
    const LaunchConfig deep{.grid = {16, 16}, .block = {8, 8, 4}};
    EXPECT_EQ(deep.grid, Dim3(16, 16, 1));
    EXPECT_EQ(deep.block, Dim3(8, 8, 4));
    const LaunchConfig clustered{.grid = 8, .cluster = 4};
    EXPECT_EQ(clustered.cluster, Dim3(4));
    EXPECT_EQ((LaunchConfig{.cluster = {2, 4}}.cluster), Dim3(2, 4));
    EXPECT_EQ((LaunchConfig{.cluster = {}}), LaunchConfig{});
    EXPECT_EQ(LaunchConfig{}.grid, Dim3(1, 1, 1));
    static_assert(std::is_aggregate_v<LaunchConfig>);
    constexpr LaunchConfig constant{.grid = 3, .block = 256};
    static_assert(constant.block.x == 256);
}

TEST(LaunchConfigTest, AcceptsAnyIntegerTypeThatFits) {
    const std::size_t blocks = 7;
    const std::int64_t threads = 64;
    const unsigned char depth = 3;
    const LaunchConfig config{.grid = blocks, .block = {threads, depth}};
    EXPECT_EQ(config.grid, Dim3(7));
    EXPECT_EQ(config.block, Dim3(64, 3));
    EXPECT_EQ(Dim3(std::size_t{0xffffffff}).x, 0xffffffffu);
    static_assert(Dim3(2, 3, 4).count() == 24);
    EXPECT_EQ(Dim3(0xffffffff, 2, 1).count(), 0x1fffffffeull);
}

TEST(LaunchConfigTest, RefusesExtentsOfMoreThan32BitsAndNegativeOnes) {
    const std::size_t huge = std::size_t{1} << 32;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)LaunchConfig{.grid = huge + 1}; }),
                AllOf(HasSubstr("4294967297"), HasSubstr("4294967295")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)LaunchConfig{.block = {1, 1, huge}}; }), HasSubstr("4294967296"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)LaunchConfig{.grid = {1, -3}}; }), HasSubstr("-3"));
}

TEST(LaunchConfigTest, IsAValue) {
    const LaunchConfig one{.grid = 2, .priority = -1, .access_policy_window = AccessPolicyWindow{.size = 4}};
    LaunchConfig other = one;
    EXPECT_EQ(one, other);
    other.access_policy_window->size = 5;
    EXPECT_NE(one, other);
}

TEST(BlocksForTest, RoundsUp) {
    static_assert(blocks_for(1, 256) == 1);
    EXPECT_EQ(blocks_for(0, 256), 0u);
    EXPECT_EQ(blocks_for(256, 256), 1u);
    EXPECT_EQ(blocks_for(257, 256), 2u);
    EXPECT_EQ(blocks_for(1000, 1), 1000u);
}

TEST(BlocksForTest, AcceptsAnyIntegerTypes) {
    static_assert(std::is_same_v<decltype(blocks_for(std::size_t{1}, std::int8_t{1})), unsigned int>);
    EXPECT_EQ(blocks_for(std::size_t{1} << 38, 1024u), 1u << 28);
    EXPECT_EQ(blocks_for(std::uint8_t{255}, std::int64_t{2}), 128u);
    EXPECT_EQ(blocks_for(std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 40), 1u << 24);
    EXPECT_EQ(blocks_for(5, std::numeric_limits<std::uint64_t>::max()), 1u);
    EXPECT_EQ((LaunchConfig{.grid = blocks_for(100, 32)}.grid), Dim3(4));
}

TEST(BlocksForTest, RefusesBlockSizesThatAreNotPositive) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)blocks_for(10, 0); }), HasSubstr("block size is 0"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)blocks_for(10, 0u); }), HasSubstr("block size is 0"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)blocks_for(10, -32); }), HasSubstr("block size is -32"));
}

TEST(BlocksForTest, RefusesANegativeCount) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)blocks_for(-1, 32); }), HasSubstr("count is -1"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)blocks_for(std::int64_t{-5}, 32u); }), HasSubstr("count is -5"));
}

TEST(BlocksForTest, RefusesMoreBlocksThanAGridHas) {
    const std::size_t limit = 0x7fffffff;
    EXPECT_EQ(blocks_for(limit * 2, 2), limit);
    EXPECT_THAT(
        message_of<std::invalid_argument>([&] { (void)blocks_for(limit * 2 + 1, 2); }),
        AllOf(HasSubstr("4294967295 elements"), HasSubstr("2147483648 blocks of 2 threads"), HasSubstr("at most 2147483647")));
}

}  // namespace
}  // namespace cubind::testing
