// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch_config.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

TEST(LaunchConfigTest, ComesFromOneToThreeNumbers) {
    const LaunchConfig flat{.grid = 128, .block = 256};
    EXPECT_EQ(flat.grid, Dim3(128, 1, 1));
    EXPECT_EQ(flat.block, Dim3(256, 1, 1));
    const LaunchConfig deep{.grid = {16, 16}, .block = {8, 8, 4}};
    EXPECT_EQ(deep.grid, Dim3(16, 16, 1));
    EXPECT_EQ(deep.block, Dim3(8, 8, 4));
    const LaunchConfig clustered{.grid = 8, .cluster = 4};
    EXPECT_EQ(clustered.cluster, Dim3(4));
    EXPECT_EQ((LaunchConfig{.cluster = {2, 4}}.cluster), Dim3(2, 4));
    EXPECT_EQ((LaunchConfig{.cluster = std::nullopt}), LaunchConfig{});
    EXPECT_EQ(LaunchConfig{}.grid, Dim3(1, 1, 1));
    static_assert(std::is_aggregate_v<LaunchConfig>);
    constexpr LaunchConfig constant{.grid = 3, .block = 256};
    static_assert(constant.block.x == 256);
}

TEST(LaunchConfigTest, TakesAnyIntegerThatFits) {
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

TEST(LaunchConfigTest, RefusesWhatThirtyTwoBitsCannotHold) {
    const std::size_t huge = std::size_t{1} << 32;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)LaunchConfig{.grid = huge + 1}; }), HasSubstr("4294967297"));
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

}  // namespace
}  // namespace cubind::testing
