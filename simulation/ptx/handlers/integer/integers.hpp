// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <type_traits>

#include "ptx/handlers/lanes.hpp"

/// What the handlers of integers share.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// The unsigned type in which sums and products wrap around. Types that are narrower than int promote to it, and not to int.
template <class Type>
using Bits = std::conditional_t<sizeof(Type) == 2, std::uint32_t, std::make_unsigned_t<Type>>;

template <class Type>
constexpr unsigned width_of = 8 * sizeof(Type);

/// Shifts of values of unsigned types. The result is 0 if the amount is the width or more.
template <class Type>
inline Type shift_left(Type value, std::uint32_t amount) {
    return amount < width_of<Type> ? static_cast<Type>(Bits<Type>{value} << (amount & (width_of<Type> - 1))) : Type{0};
}
/// Shifts to the right. Vacated bits are copies of the sign, or 0 if the type is unsigned.
template <class Type>
inline Type shift_right(Type value, std::uint32_t amount) {
    const auto last = static_cast<Type>(value >> (width_of<Type> - 1));
    const auto sign = static_cast<Type>(std::is_signed_v<Type> ? last : Type{0});
    return amount < width_of<Type> ? static_cast<Type>(value >> (amount & (width_of<Type> - 1))) : sign;
}
/// Returns a value whose lowest `count` bits are set.
template <class Type>
inline Type low_mask(std::uint32_t count) {
    return static_cast<Type>(~shift_left(static_cast<Type>(~Type{0}), count));
}

inline std::int32_t saturate(std::int64_t value) {
    using Limits = std::numeric_limits<std::int32_t>;
    return static_cast<std::int32_t>(value < Limits::min() ? Limits::min() : value > Limits::max() ? Limits::max() : value);
}

/// Selects a handler for the type of an instruction of all integers of 16, 32 and 64 bits.
template <auto make>
Handler select_integer(Choice& choice) {
    return for_type<make, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(
        choice.modifiers.type());
}

/// Selects a handler of integers of 32 and 64 bits.
template <auto make>
Handler select_wide_integer(Choice& choice) {
    return for_type<make, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(choice.modifiers.type());
}

/// Selects a handler for bits without a sign.
template <auto make>
Handler select_bits(Choice& choice) {
    switch (bytes_of_type(choice.modifiers.type())) {
        case 2:
            return make.template operator()<std::uint16_t>();
        case 4:
            return make.template operator()<std::uint32_t>();
        case 8:
            return make.template operator()<std::uint64_t>();
        default:
            return nullptr;
    }
}

/// Selects a handler for 32 or 64 bits without a sign.
template <auto make>
Handler select_wide_bits(Choice& choice) {
    return for_type<make, std::uint32_t, std::uint64_t>(choice.modifiers.type());
}

/// Selects a handler of integers of 32 bits.
template <auto make>
Handler select_32(Choice& choice) {
    return for_type<make, std::uint32_t, std::int32_t>(choice.modifiers.type());
}

/// Selects a handler that does not depend on modifiers.
template <Handler handler>
Handler select(Choice&) {
    return handler;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
