// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/handlers/integer/integers.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <class Type>
struct TwiceAsWide;
template <>
struct TwiceAsWide<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct TwiceAsWide<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct TwiceAsWide<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct TwiceAsWide<std::int32_t> {
    using type = std::int64_t;
};
template <>
struct TwiceAsWide<std::uint64_t> {
    using type = Uint128;
};
template <>
struct TwiceAsWide<std::int64_t> {
    using type = Int128;
};

/// The type that has all products of two values of a type.
template <class Type>
using Twice = typename TwiceAsWide<Type>::type;

template <class Type>
inline Twice<Type> multiply_wide(Type a, Type b) {
    return static_cast<Twice<Type>>(a) * static_cast<Twice<Type>>(b);
}
template <class Type>
inline Type multiply_low(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) * static_cast<Bits<Type>>(b));
}
template <class Type>
inline Type multiply_high(Type a, Type b) {
    return static_cast<Type>(multiply_wide(a, b) >> width_of<Type>);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
