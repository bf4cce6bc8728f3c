// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "instruction_test.hpp"

/// Models of integer instructions that work bit by bit on numbers of 128 bits. They share no formula with the executor.
namespace cubind::testing::oracle {

__extension__ typedef unsigned __int128 Number;

constexpr int number_bits = 128;

inline bool bit(Number value, int index) {
    return (value >> index & 1) != 0;
}
inline Number from_bit(bool is_set, int index) {
    return Number{is_set ? 1u : 0u} << index;
}

/// Extends a value by its sign, or by zeros.
template <class Type>
Number extend(Type value) {
    constexpr int width = 8 * sizeof(Type);
    Number result = 0;
    for (int i = 0; i < number_bits; ++i) {
        const bool is_set =
            i < width ? (static_cast<std::make_unsigned_t<Type>>(value) >> i & 1) != 0 : std::is_signed_v<Type> && value < 0;
        result |= from_bit(is_set, i);
    }
    return result;
}
template <class Type>
Type cut(Number value, int begin = 0) {
    std::make_unsigned_t<Type> result = 0;
    for (int i = 0; i < static_cast<int>(8 * sizeof(Type)); ++i) {
        if (bit(value, begin + i)) result = static_cast<std::make_unsigned_t<Type>>(result | std::make_unsigned_t<Type>{1} << i);
    }
    return static_cast<Type>(result);
}

/// Adds as a chain of full adders does.
inline Number add(Number a, Number b, bool carry = false) {
    Number sum = 0;
    for (int i = 0; i < number_bits; ++i) {
        const int ones = bit(a, i) + bit(b, i) + carry;
        sum |= from_bit(ones % 2 == 1, i);
        carry = ones >= 2;
    }
    return sum;
}
inline Number negate(Number a) {
    return add(~a, 0, true);
}
inline Number subtract(Number a, Number b) {
    return add(a, ~b, true);
}
inline Number multiply(Number a, Number b) {
    Number product = 0;
    for (int i = 0; i < number_bits; ++i) {
        if (bit(b, i)) product = add(product, a << i);
    }
    return product;
}
inline bool is_negative(Number a) {
    return bit(a, number_bits - 1);
}
inline bool is_less(Number a, Number b) {
    return is_negative(subtract(a, b));
}
inline Number magnitude(Number a) {
    return is_negative(a) ? negate(a) : a;
}

/// Divides magnitudes bit by bit. The divisor is not 0.
struct Division {
    Number quotient = 0;
    Number remainder = 0;

    Division(Number a, Number b) {
        const Number divisor = magnitude(b);
        const Number dividend = magnitude(a);
        for (int i = 64; i >= 0; --i) {
            remainder = remainder << 1 | from_bit(bit(dividend, i), 0);
            if (is_less(remainder, divisor)) continue;
            remainder = subtract(remainder, divisor);
            quotient |= from_bit(true, i);
        }
        if (is_negative(a) != is_negative(b)) quotient = negate(quotient);
        if (is_negative(a)) remainder = negate(remainder);
    }
};

inline std::int32_t saturate(Number value) {
    const Number least = extend(std::numeric_limits<std::int32_t>::min());
    const Number greatest = extend(std::numeric_limits<std::int32_t>::max());
    return cut<std::int32_t>(is_less(value, least) ? least : is_less(greatest, value) ? greatest : value);
}

}  // namespace cubind::testing::oracle

namespace cubind::testing {

/// The modifier of an integer type.
template <class Type>
std::string type_name() {
    return (std::is_signed_v<Type> ? ".s" : ".u") + std::to_string(8 * sizeof(Type));
}

/// Calls a function template for each of the types.
template <class... Type, class Call>
void for_types(Call call) {
    (call.template operator()<Type>(), ...);
}

template <class Call>
void for_integers(Call call) {
    for_types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(call);
}

}  // namespace cubind::testing
