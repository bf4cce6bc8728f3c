// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>

/// Arithmetic on numbers of any size, which is rounded once to a format. It is exact for all roundings but slow: the handlers of
/// common instructions use the arithmetic of the processor.
namespace CUBIND_NAMESPACE::sim::ptx {

enum class Rounding : std::uint8_t { nearest_even, toward_zero, down, up, nearest_away };

/// A binary format with an implicit leading bit. Exponents are those of the leading bit.
struct FloatFormat {
    int precision = 0;  ///< bits of the significand, with the leading one
    int min_exponent = 0;
    int max_exponent = 0;
    int bits = 0;  ///< with the sign

    constexpr int fraction_bits() const noexcept { return precision - 1; }
    constexpr std::uint64_t infinity() const noexcept {
        return static_cast<std::uint64_t>(max_exponent - min_exponent + 2) << fraction_bits();
    }
    constexpr std::uint64_t sign() const noexcept { return std::uint64_t{1} << (bits - 1); }
};

inline constexpr FloatFormat half_format{11, -14, 15, 16};
inline constexpr FloatFormat bfloat_format{8, -126, 127, 16};
inline constexpr FloatFormat single_format{24, -126, 127, 32};
inline constexpr FloatFormat double_format{53, -1022, 1023, 64};
/// The upper 19 bits of a float.
inline constexpr FloatFormat tf32_format{11, -126, 127, 19};
inline constexpr FloatFormat e5m2_format{3, -14, 15, 8};
/// The largest exponent has numbers, too, and there is no infinity. The only NaN is 7f, which callers handle.
inline constexpr FloatFormat e4m3_format{4, -6, 8, 8};

/// A number: significand * 2^exponent. If digits were lost, the lowest bit of the significand is set. All formats have fewer bits
/// than the significand, so this bit affects only the rounding.
struct ExactNumber {
    __extension__ using Significand = unsigned __int128;

    enum class Kind : std::uint8_t { finite, infinite, not_a_number };
    Kind kind = Kind::finite;
    bool is_negative = false;
    int exponent = 0;
    Significand significand = 0;

    bool is_zero() const noexcept { return kind == Kind::finite && significand == 0; }
    bool is_finite() const noexcept { return kind == Kind::finite; }
    bool is_infinite() const noexcept { return kind == Kind::infinite; }
    bool is_nan() const noexcept { return kind == Kind::not_a_number; }
};

/// Returns the number that the bits of a format represent. Flushing replaces subnormal numbers by zero.
ExactNumber exact_from_bits(std::uint64_t bits, FloatFormat format, bool flushes);
ExactNumber exact_from_integer(std::uint64_t magnitude, bool is_negative);

ExactNumber exact_negation(ExactNumber value);
/// Returns a sum. The sign of a zero that is the sum of numbers with different signs follows from the rounding.
ExactNumber exact_sum(ExactNumber a, ExactNumber b, Rounding rounding);
ExactNumber exact_product(ExactNumber a, ExactNumber b);
ExactNumber exact_quotient(ExactNumber a, ExactNumber b);
ExactNumber exact_square_root(ExactNumber value);

/// Returns the bits of the nearest number of a format. Flushing replaces a result by zero if it is below the normal numbers after
/// rounding to the precision of the format. A number that is too large becomes the largest one instead of infinity if
/// `is_finite` is set. The value must not be NaN.
std::uint64_t round_to_bits(const ExactNumber& value, FloatFormat format, Rounding rounding, bool flushes,
                            bool is_finite = false);

/// Returns an integer, limited to the range of a type of so many bits. The value must not be NaN.
std::uint64_t round_to_integer(const ExactNumber& value, unsigned bits, bool is_signed, Rounding rounding);
/// Returns a whole number. The sign of zero is that of the value.
ExactNumber round_to_whole(const ExactNumber& value, Rounding rounding);

}  // namespace CUBIND_NAMESPACE::sim::ptx
