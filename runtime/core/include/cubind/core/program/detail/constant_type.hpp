// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace CUBIND_NAMESPACE::detail {

/// A type on the host that receives the value of a constant expression: bool, an integer or a floating-point number of at most 8
/// bytes, or an enumeration.
template <class T>
concept ConstantValue = std::is_same_v<T, std::remove_cvref_t<T>> &&
                        (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&sizeof(T) <= sizeof(std::uint64_t);

/// The set of values that a type on the host can represent.
struct ConstantType {
    enum class Kind { boolean, signed_integer, unsigned_integer, floating_point };
    Kind kind;
    std::size_t size;  ///< in bytes

    template <class T>
    static constexpr ConstantType of() {
        if constexpr (std::is_enum_v<T>) {
            return of<std::underlying_type_t<T>>();
        } else {
            const Kind integer = std::is_signed_v<T> ? Kind::signed_integer : Kind::unsigned_integer;
            const Kind number = std::is_floating_point_v<T> ? Kind::floating_point : integer;
            return {std::is_same_v<T, bool> ? Kind::boolean : number, sizeof(T)};
        }
    }
};

/// Returns the value whose representation is the low bytes of `bits`.
template <ConstantValue T>
T value_of_bits(std::uint64_t bits) noexcept {
    T value;
    std::memcpy(&value, &bits, sizeof value);  // all platforms of CUDA are little-endian
    return value;
}

}  // namespace CUBIND_NAMESPACE::detail
