// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "ptx/handlers/lanes.hpp"

/// Rules for special numbers of type float and double, for files that are compiled for several instruction sets.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// The handler of an instruction that computes a function.
template <auto Function>
inline constexpr Handler compute_handler = Compute<Function>::run;

inline constexpr std::uint32_t sign_of_float = 0x80000000u;
inline constexpr std::uint32_t infinity_of_float = 0x7f800000u;
inline constexpr std::uint64_t sign_of_double = std::uint64_t{1} << 63;
inline constexpr std::uint64_t quiet_bit_of_double = std::uint64_t{1} << 51;

inline float absolute(float value) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & ~sign_of_float);
}

/// Replaces NaN by the only NaN that results of type float have.
inline float canonical(float value) {
    return value == value ? value : std::bit_cast<float>(0x7fffffffu);
}
inline double quiet(double nan) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | quiet_bit_of_double);
}
/// The result of an operation that is not valid, such as infinity - infinity.
inline double default_nan() {
    return std::bit_cast<double>(std::uint64_t{0xfff8000000000000u});
}

/// Replaces a subnormal number by zero with its sign.
inline float flush(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>((bits & infinity_of_float) != 0 ? bits : bits & sign_of_float);
}
inline double flush(double value) {
    return value;
}

/// Limits a number to [0, 1]. Returns 0 for NaN.
inline float saturate(float value) {
    const float positive = value > 0.0f ? value : 0.0f;
    return positive < 1.0f ? positive : 1.0f;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
