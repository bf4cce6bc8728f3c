// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// Extends the lowest `width` bits of a value by zeros, or by the highest of them.
Number extend_bits(std::uint64_t value, int width, bool is_signed);
/// Returns `width` bits of a value, from the bit `begin` on.
std::uint64_t cut_bits(Number value, int begin, int width);

/// Extends a value by its sign, or by zeros.
template <class Type>
Number extend(Type value) {
    return extend_bits(static_cast<std::make_unsigned_t<Type>>(value), 8 * sizeof(Type), std::is_signed_v<Type>);
}
template <class Type>
Type cut(Number value, int begin = 0) {
    return static_cast<Type>(cut_bits(value, begin, 8 * sizeof(Type)));
}

/// Adds as a chain of full adders does.
Number add(Number a, Number b, bool carry = false);
Number negate(Number a);
Number subtract(Number a, Number b);
Number multiply(Number a, Number b);
bool is_negative(Number a);
bool is_less(Number a, Number b);
Number magnitude(Number a);

/// Divides magnitudes bit by bit. The divisor is not 0.
struct Division {
    Number quotient = 0;
    Number remainder = 0;

    Division(Number a, Number b);
};

std::int32_t saturate(Number value);

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
