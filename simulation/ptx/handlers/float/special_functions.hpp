// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "ptx/handlers/float/special_function_tables.hpp"

/// Models of the special function unit: functions of one thread from bits of a float to bits of a float. Each equals all results
/// that an H200 returned for all significands, and for random bits. All flush subnormal arguments and results to zero, except
/// for the hyperbolic tangent, which has neither.
///
/// Sums are computed in double, without rounding: they have less than 45 bits. Compilers vectorize that better than 64-bit
/// integers. Arguments out of range select a segment, too, so that there are no branches.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

constexpr std::uint32_t sign_bit = 0x80000000u;
constexpr std::uint32_t infinity_bits = 0x7f800000u;
constexpr std::uint32_t nan_bits = 0x7fffffffu;
constexpr std::uint32_t one_bits = 0x3f800000u;

/// The parts of a float.
struct FloatParts {
    std::uint32_t sign;         ///< sign_bit, or 0
    std::uint32_t exponent;     ///< biased
    std::uint32_t significand;  ///< without the leading bit
};
inline FloatParts split(std::uint32_t bits) {
    return {bits & sign_bit, bits >> 23 & 0xff, bits & 0x7fffff};
}
inline bool is_nan(FloatParts a) {
    return a.exponent == 0xff && a.significand != 0;
}

/// Returns the sum of the products of the bits i and j of an offset of 17 bits with i + j >= 18, times 2^(i + j - 18), halved.
/// That is the square as a multiplier computes it that omits the low columns.
inline std::uint32_t truncated_square(std::uint32_t offset) {
    const std::uint32_t high = offset >> 9;
    const std::uint32_t low = offset & 0x1ff;
    // All products of the high bits count, and none of the low bits. Mixed products count twice.
    std::uint32_t sum = high * high >> 1;
    sum += (0u - (high >> 1 & 1)) & low >> 8;
    sum += (0u - (high >> 2 & 1)) & low >> 7;
    sum += (0u - (high >> 3 & 1)) & low >> 6;
    sum += (0u - (high >> 4 & 1)) & low >> 5;
    sum += (0u - (high >> 5 & 1)) & low >> 4;
    sum += (0u - (high >> 6 & 1)) & low >> 3;
    sum += (0u - (high >> 7 & 1)) & low >> 2;
    return sum;
}

/// Returns the function in a segment as a multiple of the table's unit.
template <unsigned count>
double interpolate(const Segments<count>& table, std::uint32_t segment, std::uint32_t offset, int base_unit, int rounding) {
    return static_cast<double>(table.base[segment]) * base_unit + rounding +
           static_cast<double>(table.linear[segment]) * static_cast<std::int32_t>(offset) +
           static_cast<double>(table.square[segment]) * static_cast<std::int32_t>(truncated_square(offset));
}

/// Returns the float below a positive multiple of 2^-fraction_bits.
inline std::uint32_t cut_to_float(double value, unsigned fraction_bits) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 29) - ((1023 - 127 + fraction_bits) << 23);
}

/// Returns the reciprocal of 1.significand, in [0.5, 1].
inline std::uint32_t reciprocal_significand(std::uint32_t significand) {
    const std::uint32_t segment = significand >> 16;
    return cut_to_float(interpolate(reciprocal_segments, segment, (significand & 0xffff) << 1, 1 << 14, 4047), 40);
}

/// Returns the reciprocal of the root of 1.significand, or of twice that if is_odd, in [0.5, 1].
inline std::uint32_t reciprocal_root_significand(std::uint32_t significand, std::uint32_t is_odd) {
    const std::uint32_t segment = is_odd << 6 | significand >> 17;
    const std::uint32_t result =
        cut_to_float(interpolate(reciprocal_root_segments, segment, significand & 0x1ffff, 1 << 15, 32767), 41);
    return (significand | is_odd) == 0 ? one_bits : result;
}

inline std::uint32_t unit_reciprocal(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const std::uint32_t scaled = reciprocal_significand(a.significand);
    std::uint32_t result = scaled + ((127 - a.exponent) << 23);
    if ((scaled >> 23) + 127 <= a.exponent) result = 0;
    if (a.exponent == 0) result = infinity_bits;
    return is_nan(a) ? nan_bits : a.sign | result;
}

inline std::uint32_t unit_reciprocal_root(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const std::uint32_t is_odd = ~a.exponent & 1;
    std::uint32_t result = reciprocal_root_significand(a.significand, is_odd) + ((127 + is_odd - a.exponent) >> 1 << 23);
    if (a.exponent == 0xff) result = 0;
    if (a.exponent == 0) return a.sign | infinity_bits;
    return is_nan(a) || a.sign != 0 ? nan_bits : result;
}

inline std::uint32_t unit_root(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const std::uint32_t is_odd = ~a.exponent & 1;
    const std::uint32_t segment = is_odd << 6 | a.significand >> 17;
    std::uint32_t result = cut_to_float(interpolate(root_segments, segment, a.significand & 0x1ffff, 1 << 15, 32767), 40);
    // The exponent is shifted so that the halved value is not negative.
    result += ((a.exponent + 127 - is_odd) >> 1 << 23) - (127u << 23);
    if (a.exponent == 0xff) result = infinity_bits;
    if (a.exponent == 0) return a.sign;
    return is_nan(a) || a.sign != 0 ? nan_bits : result;
}

inline std::uint32_t unit_exponential(std::uint32_t bits) {
    const FloatParts a = split(bits);
    constexpr std::uint32_t limit = 0x43480000u;  // 200, whose result is out of range
    const std::uint32_t magnitude = bits & ~sign_bit;
    const auto limited = std::bit_cast<float>(a.sign | (magnitude < limit ? magnitude : limit));
    // 23 fraction bits, cut toward zero. A negative number with a fraction becomes the one's complement of its magnitude.
    const auto fixed = static_cast<std::int32_t>(limited * 0x1p23f);
    const std::int32_t floored = fixed + ((fixed & 0x7fffff) != 0 ? fixed >> 31 : 0);
    const auto fraction = static_cast<std::uint32_t>(floored) & 0x7fffff;
    const std::int32_t exponent = floored >> 23;
    const std::uint32_t segment = fraction >> 17;
    std::uint32_t result = cut_to_float(interpolate(exponential_segments, segment, fraction & 0x1ffff, 1 << 14, 12229), 39);
    result += static_cast<std::uint32_t>(exponent) << 23;
    if (exponent < -126) result = 0;
    if (exponent > 127) result = infinity_bits;
    return is_nan(a) ? nan_bits : result;
}

inline std::uint32_t unit_logarithm(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const std::uint32_t segment = a.significand >> 17;
    const double sum = interpolate(logarithm_segments, segment, a.significand & 0x1ffff, 1 << 12, 837);
    double fraction = (sum * 0.5 - 0.25 + 0x1p52) - 0x1p52;  // the last bit is cut
    fraction = bits == one_bits ? 0.0 : fraction;
    const double value = (static_cast<int>(a.exponent) - 127) * 0x1p37 + fraction;
    const double magnitude = value < 0 ? -value - 1 : value;  // one's complement of a negative number
    std::uint32_t result = cut_to_float(magnitude, 37) | (value < 0 ? sign_bit : 0u);
    if (value == 0) result = 0;
    if (a.exponent == 0xff) result = infinity_bits;
    if (a.exponent == 0) return sign_bit | infinity_bits;
    return is_nan(a) || a.sign != 0 ? nan_bits : result;
}

/// Sine, or cosine, of an angle in radians.
template <bool is_cosine>
inline std::uint32_t unit_sine(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const auto magnitude = static_cast<double>(std::bit_cast<float>(bits & ~sign_bit));
    // A product of floats that is rounded toward zero. Only 25 fraction bits count, so flushing makes no difference.
    const double product = magnitude * 0x1.45f306p-3;
    double turns = std::bit_cast<double>(std::bit_cast<std::uint64_t>(product) & ~std::uint64_t{0x1fffffff});
    turns = turns < 0x1p24 ? turns : 0.0;  // larger ones are integers
    turns -= static_cast<std::int32_t>(turns);
    const auto fixed = static_cast<std::uint32_t>(static_cast<std::int32_t>(turns * 0x1p25));
    const std::uint32_t quadrant = (fixed >> 23) + (is_cosine ? 1 : 0);
    const std::uint32_t angle = (fixed ^ (0u - (quadrant & 1))) & 0x7fffff;  // odd quadrants run backward
    const double value = interpolate(sine_segments, angle >> 17, angle & 0x1ffff, 1 << 11, 0);
    const std::uint32_t result = value == 0 ? 0 : cut_to_float(value, 37);
    const std::uint32_t sign = (is_cosine ? 0 : a.sign) ^ (quadrant & 2) << 30;
    return a.exponent == 0xff ? nan_bits : sign | result;
}

/// Octaves of the hyperbolic tangent, from 2^-8 on: leading bits of the significand that select the segment, and the first one.
inline constexpr std::uint32_t tangent_bits[16] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3, 0, 0, 0, 0, 0};
inline constexpr std::uint32_t tangent_begin[16] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43, 0, 0, 0, 0, 0};

inline std::uint32_t unit_tangent(std::uint32_t bits) {
    const FloatParts a = split(bits);
    const std::uint32_t octave = (a.exponent - 119) & 15;
    const std::uint32_t shifted = a.significand << tangent_bits[octave];
    const std::uint32_t segment = tangent_begin[octave] + (shifted >> 23);
    std::uint32_t result =
        cut_to_float(interpolate(hyperbolic_tangent_segments, segment, shifted >> 6 & 0x1ffff, 1 << 11, 0), 39);
    if (a.exponent > 129) result = one_bits;
    if (a.exponent < 119) return bits;
    return is_nan(a) ? nan_bits : a.sign | result;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
