// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/handlers/float/float_bits.hpp"

/// Numbers of 16 bits: f16 and bf16. Arithmetic runs in double and is rounded once.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// The layouts of f16 and of bf16.
struct Half {
    static constexpr unsigned fraction_bits = 10;
    static constexpr int min_exponent = -14;
    static constexpr std::uint32_t infinity = 0x7c00;
};
struct Bfloat {
    static constexpr unsigned fraction_bits = 7;
    static constexpr int min_exponent = -126;
    static constexpr std::uint32_t infinity = 0x7f80;
};

inline constexpr std::uint32_t nan_of_half = 0x7fff;  // of both formats
inline constexpr std::uint32_t sign_of_half = 0x8000;

/// Returns the value of a number of 16 bits. It is exact.
template <class Format>
inline float to_float(std::uint32_t bits);
template <>
inline float to_float<Bfloat>(std::uint32_t bits) {
    return std::bit_cast<float>(bits << 16);
}
template <>
inline float to_float<Half>(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & 0x7fff;
    // A multiplication converts the exponent to the exponent of a float. It also makes subnormal numbers normal.
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
    const std::uint32_t special = magnitude << 13 | infinity_of_float;
    const std::uint32_t result = magnitude >= Half::infinity ? special : std::bit_cast<std::uint32_t>(scaled);
    return std::bit_cast<float>(result | (bits & sign_of_half) << 16);
}

/// Replaces a subnormal number by zero with its sign.
template <class Format>
inline std::uint32_t flush_half(std::uint32_t bits) {
    return (bits & Format::infinity) != 0 ? bits : bits & sign_of_half;
}

/// Rounds to the nearest number of 16 bits. Flushing replaces numbers by zero that are subnormal after rounding to full
/// precision.
template <class Format>
inline std::uint32_t from_double(double value, bool flushes) {
    constexpr unsigned lost = 52 - Format::fraction_bits;
    constexpr std::uint64_t bias = std::uint64_t{1023 + Format::min_exponent - 1} << 52;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~sign_of_double;
    // Rounds as if exponents had no limits. The carry of the fraction increments the exponent.
    const std::uint64_t rounded = magnitude + ((std::uint64_t{1} << (lost - 1)) - 1) + (magnitude >> lost & 1);
    const std::uint64_t limited = rounded >> 52 > 2046 ? std::uint64_t{2047} << 52 : rounded;
    const auto normal = static_cast<std::uint32_t>((limited - bias) >> lost);
    // The sum rounds to a multiple of the smallest subnormal number.
    constexpr double unit = Format::min_exponent == Half::min_exponent ? 0x1p28 : 0x1p-81;
    const double sum = std::bit_cast<double>(magnitude) + unit;
    const auto subnormal = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(sum) - std::bit_cast<std::uint64_t>(unit));
    const bool is_tiny = limited < bias + (std::uint64_t{1} << 52);
    std::uint32_t result = is_tiny ? (flushes ? 0 : subnormal) : normal;
    result = result > Format::infinity || (limited >> 52) == 2047 ? Format::infinity : result;
    result |= static_cast<std::uint32_t>(bits >> 48) & sign_of_half;
    return value == value ? result : nan_of_half;
}

/// Returns a sum rounded to odd: where it is not exact, the lowest bit is set. Rounding it again to a format with half the bits
/// gives the same as rounding the exact sum.
inline double add_to_odd(double a, double b) {
    const double sum = a + b;
    const double b_of_sum = sum - a;
    const double error = (a - (sum - b_of_sum)) + (b - b_of_sum);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
    const bool is_even = (bits & 1) == 0;
    const bool is_inexact = error < 0 || error > 0;  // false for NaN
    const std::uint64_t is_away = (std::bit_cast<std::uint64_t>(error) ^ bits) >> 63;
    return std::bit_cast<double>(is_inexact && is_even ? bits + 1 - 2 * is_away : bits);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
