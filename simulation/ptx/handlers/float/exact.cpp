// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/float/exact.hpp"

#include <algorithm>
#include <bit>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

using Significand = ExactNumber::Significand;

constexpr int leading_bit = 124;  // of significands that are added; leaves room for a carry
constexpr int significand_bits = 128;

int bit_width(Significand value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                     : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

/// Moves the leading bit of a number that is not zero. The number must fit.
ExactNumber align_leading_bit(ExactNumber value, int bit) {
    const int shift = bit + 1 - bit_width(value.significand);
    value.significand <<= shift;
    value.exponent -= shift;
    return value;
}

Significand shift_right_sticky(Significand value, int shift) {
    if (shift == 0) return value;
    if (shift >= significand_bits) return value != 0 ? 1 : 0;
    const Significand lost = value & ((Significand{1} << shift) - 1);
    return value >> shift | Significand{lost != 0};
}

bool rounds_up(Significand quotient, Significand rest, Significand half, bool is_negative, Rounding rounding) {
    if (rest == 0) return false;
    switch (rounding) {
        case Rounding::nearest_even:
            return rest > half || (rest == half && (quotient & 1) != 0);
        case Rounding::nearest_away:
            return rest >= half;
        case Rounding::down:
            return is_negative;
        case Rounding::up:
            return !is_negative;
        default:
            return false;
    }
}

/// Returns the significand for a given exponent. It must fit.
Significand round_significand(const ExactNumber& value, int exponent, Rounding rounding) {
    const int shift = exponent - value.exponent;
    if (shift <= 0) return value.significand << -shift;
    if (shift >= significand_bits) {
        return rounds_up(0, value.significand != 0 ? 1 : 0, 2, value.is_negative, rounding) ? 1 : 0;
    }
    const Significand quotient = value.significand >> shift;
    const Significand rest = value.significand & ((Significand{1} << shift) - 1);
    const Significand half = Significand{1} << (shift - 1);
    return quotient + Significand{rounds_up(quotient, rest, half, value.is_negative, rounding)};
}

Significand square_root(Significand value) {
    Significand root = 0;
    for (int bit = 62; bit >= 0; --bit) {
        const Significand next = root | Significand{1} << bit;
        if (next * next <= value) root = next;
    }
    return root;
}

ExactNumber infinity(bool is_negative) {
    return {ExactNumber::Kind::infinite, is_negative, 0, 0};
}

ExactNumber not_a_number() {
    return {ExactNumber::Kind::not_a_number, false, 0, 0};
}

}  // namespace

ExactNumber exact_from_bits(std::uint64_t bits, FloatFormat format, bool flushes) {
    ExactNumber value;
    value.is_negative = (bits & format.sign()) != 0;
    bits &= format.sign() - 1;
    const auto exponent = static_cast<int>(bits >> format.fraction_bits());
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits()) - 1);
    if (bits >= format.infinity()) {
        value.kind = fraction == 0 ? ExactNumber::Kind::infinite : ExactNumber::Kind::not_a_number;
        return value;
    }
    value.exponent = std::max(exponent, 1) - 1 + format.min_exponent - format.fraction_bits();
    value.significand = fraction;
    if (exponent != 0) {
        value.significand |= Significand{1} << format.fraction_bits();
    } else if (flushes) {
        value.significand = 0;
    }
    return value;
}

ExactNumber exact_from_integer(std::uint64_t magnitude, bool is_negative) {
    return {ExactNumber::Kind::finite, is_negative, 0, magnitude};
}

ExactNumber exact_negation(ExactNumber value) {
    value.is_negative = !value.is_negative;
    return value;
}

ExactNumber exact_sum(ExactNumber a, ExactNumber b, Rounding rounding) {
    if (a.is_nan() || b.is_nan()) return not_a_number();
    if (a.is_infinite() || b.is_infinite()) {
        if (a.is_infinite() && b.is_infinite() && a.is_negative != b.is_negative) return not_a_number();
        return a.is_infinite() ? a : b;
    }
    if (a.is_zero() && b.is_zero()) {
        if (a.is_negative != b.is_negative) a.is_negative = rounding == Rounding::down;
        return a;
    }
    if (a.is_zero()) return b;
    if (b.is_zero()) return a;
    a = align_leading_bit(a, leading_bit);
    b = align_leading_bit(b, leading_bit);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) std::swap(a, b);
    b.significand = shift_right_sticky(b.significand, a.exponent - b.exponent);
    if (a.is_negative == b.is_negative) {
        a.significand += b.significand;
    } else {
        a.significand -= b.significand;
        if (a.significand == 0) a.is_negative = rounding == Rounding::down;
    }
    return a;
}

ExactNumber exact_product(ExactNumber a, ExactNumber b) {
    const bool is_negative = a.is_negative != b.is_negative;
    if (a.is_nan() || b.is_nan()) return not_a_number();
    if (a.is_infinite() || b.is_infinite()) return a.is_zero() || b.is_zero() ? not_a_number() : infinity(is_negative);
    return {ExactNumber::Kind::finite, is_negative, a.exponent + b.exponent, a.significand * b.significand};
}

ExactNumber exact_quotient(ExactNumber a, ExactNumber b) {
    const bool is_negative = a.is_negative != b.is_negative;
    if (a.is_nan() || b.is_nan()) return not_a_number();
    if (a.is_infinite()) return b.is_infinite() ? not_a_number() : infinity(is_negative);
    if (b.is_zero()) return a.is_zero() ? not_a_number() : infinity(is_negative);
    if (a.is_zero() || b.is_infinite()) return {ExactNumber::Kind::finite, is_negative, 0, 0};
    a = align_leading_bit(a, leading_bit);
    const Significand quotient = a.significand / b.significand;
    const bool has_rest = quotient * b.significand != a.significand;
    return {ExactNumber::Kind::finite, is_negative, a.exponent - b.exponent, quotient | Significand{has_rest}};
}

ExactNumber exact_square_root(ExactNumber value) {
    if (value.is_nan() || value.is_zero()) return value;
    if (value.is_negative) return not_a_number();
    if (value.is_infinite()) return value;
    value = align_leading_bit(value, leading_bit);
    if (value.exponent % 2 != 0) {
        value.significand <<= 1;
        --value.exponent;
    }
    const Significand root = square_root(value.significand);
    const bool has_rest = root * root != value.significand;
    // Two more bits make room for the sticky bit.
    return {ExactNumber::Kind::finite, false, value.exponent / 2 - 2, root << 2 | Significand{has_rest}};
}

std::uint64_t round_to_bits(const ExactNumber& value, FloatFormat format, Rounding rounding, bool flushes, bool is_finite) {
    const std::uint64_t sign = value.is_negative ? format.sign() : 0;
    const bool is_e4m3 = format.precision == e4m3_format.precision;
    const std::uint64_t largest = is_e4m3 ? 0x7e : format.infinity() - 1;
    if (value.is_infinite()) return sign | (is_finite ? largest : format.infinity());
    if (value.is_zero()) return sign;
    const int precise = value.exponent + bit_width(value.significand) - format.precision;  // exponent without limits
    const int least = format.min_exponent - format.fraction_bits();
    const Significand full = Significand{1} << format.precision;
    if (flushes && precise < least) {
        const Significand rounded = round_significand(value, precise, rounding);
        if (rounded != full || precise + 1 < least) return sign;
    }
    const int exponent = std::max(precise, least);
    const Significand rounded = round_significand(value, exponent, rounding);
    // The leading bit of a normal number adds one to the field of the exponent, and so does a carry.
    const std::uint64_t field =
        exponent - least > 2 * format.max_exponent
            ? format.infinity()
            : (static_cast<std::uint64_t>(exponent - least) << format.fraction_bits()) + static_cast<std::uint64_t>(rounded);
    if (field <= largest) return sign | field;
    const bool is_away = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away ||
                         rounding == (value.is_negative ? Rounding::down : Rounding::up);
    return sign | (is_finite || !is_away ? largest : format.infinity());
}

std::uint64_t round_to_integer(const ExactNumber& value, unsigned bits, bool is_signed, Rounding rounding) {
    const std::uint64_t highest = std::uint64_t{1} << (bits - 1);
    const std::uint64_t limit =
        !is_signed ? (value.is_negative ? 0 : highest | (highest - 1)) : (value.is_negative ? highest : highest - 1);
    std::uint64_t magnitude = limit;
    if (value.is_finite() && value.exponent + bit_width(value.significand) <= 65) {
        const Significand rounded = round_significand(value, 0, rounding);
        if (rounded < limit) magnitude = static_cast<std::uint64_t>(rounded);
    }
    return value.is_negative ? ~magnitude + 1 : magnitude;
}

ExactNumber round_to_whole(const ExactNumber& value, Rounding rounding) {
    if (!value.is_finite() || value.exponent >= 0) return value;
    ExactNumber whole = value;
    whole.significand = round_significand(value, 0, rounding);
    whole.exponent = 0;
    return whole;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
