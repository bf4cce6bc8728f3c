// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The models of the special function unit alone, compared with results of an H200.
#include <gtest/gtest.h>

#include <cstddef>

#include "special_function_results.hpp"
#define CUBIND_SIM_VECTORS models_in_tests
#include "ptx/handlers/float/special_functions.hpp"

namespace cubind::testing::special_function_unit_tests {
namespace {

namespace models = sim::ptx::models_in_tests;
using Bits = std::uint32_t;
using Model = Bits (*)(Bits);

Bits consecutive(Bits index) {
    return 0x3f800000u + index;
}
Bits angle(Bits index) {
    return std::bit_cast<Bits>(static_cast<float>(index) / (1 << 20));
}
Bits every_fourth(Bits index) {
    return 0x3e000000u + 4 * index;
}

std::uint64_t hash_of(Model model, Bits (*argument)(Bits), Bits count) {
    Hash hash;
    for (Bits i = 0; i < count; i += 7) hash.add(model(argument(i)));
    return hash.value;
}

TEST(SpecialFunctionUnitTest, EqualsAnH200) {
    constexpr Bits octave = 1u << 23;
    EXPECT_EQ(hash_of(models::unit_reciprocal, consecutive, octave), reciprocal_hash);
    EXPECT_EQ(hash_of(models::unit_reciprocal_root, consecutive, 2 * octave), reciprocal_root_hash);
    EXPECT_EQ(hash_of(models::unit_root, consecutive, 2 * octave), root_hash);
    EXPECT_EQ(hash_of(models::unit_exponential, consecutive, octave), exponential_hash);
    EXPECT_EQ(hash_of(models::unit_logarithm, consecutive, octave), logarithm_hash);
    EXPECT_EQ(hash_of(models::unit_sine<false>, angle, octave), sine_hash);
    EXPECT_EQ(hash_of(models::unit_tangent, every_fourth, 2 * octave), tangent_hash);
}

template <std::size_t count>
void expect_borders(Model model, const Bits (&results)[count], Bits (*argument)(Bits), Bits segment) {
    for (std::size_t i = 0; i < count; ++i) {
        const Bits bits = argument(static_cast<Bits>(i / 2) * segment + (i % 2 == 0 ? 0 : segment - 1));
        EXPECT_EQ(model(bits), results[i]) << std::hex << bits;
    }
}

TEST(SpecialFunctionUnitTest, EqualsAnH200AtTheBordersOfSegments) {
    expect_borders(models::unit_reciprocal, reciprocal_results, consecutive, 1u << 16);
    expect_borders(models::unit_reciprocal_root, reciprocal_root_results, consecutive, 1u << 17);
    expect_borders(models::unit_root, root_results, consecutive, 1u << 17);
    expect_borders(models::unit_exponential, exponential_results, consecutive, 1u << 17);
    expect_borders(models::unit_logarithm, logarithm_results, consecutive, 1u << 17);
    expect_borders(models::unit_tangent, tangent_results, every_fourth, 1u << 17);
    for (Bits i = 0; i < 256; ++i) EXPECT_EQ(models::unit_sine<false>(angle(12867 * i)), sine_results[i]) << i;
}

TEST(SpecialFunctionUnitTest, OmitsTheLowProductsOfTheSquare) {
    for (Bits offset = 0; offset < 1u << 17; ++offset) {
        Bits sum = 0;
        for (unsigned i = 0; i < 17; ++i) {
            for (unsigned j = 18 - i; j < 17; ++j)
                sum += (offset >> i & 1) != 0 && (offset >> j & 1) != 0 ? 1u << (i + j - 18) : 0u;
        }
        ASSERT_EQ(models::truncated_square(offset), sum / 2) << offset;
    }
}

}  // namespace
}  // namespace cubind::testing::special_function_unit_tests
