// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace CUBIND_NAMESPACE {

/// The kind of the numbers that a DataType describes. The values are the codes of DLPack 1.1.
enum class DataTypeKind : std::uint8_t {
    signed_integer = 0,      ///< two's complement
    unsigned_integer = 1,    ///< no sign
    floating_point = 2,      ///< IEEE 754
    opaque_handle = 3,       ///< a handle that producer and consumer know
    bfloat = 4,              ///< the upper half of a float
    complex = 5,             ///< real and imaginary part; `bits` counts both
    boolean = 6,             ///< zero or one, in a byte
    float8_e3m4 = 7,         ///< 3 bits of exponent, 4 of mantissa
    float8_e4m3 = 8,         ///< 4 bits of exponent, 3 of mantissa
    float8_e4m3b11fnuz = 9,  ///< e4m3, bias 11, no infinities, one zero
    float8_e4m3fn = 10,      ///< e4m3, no infinities
    float8_e4m3fnuz = 11,    ///< e4m3, no infinities, one zero
    float8_e5m2 = 12,        ///< 5 bits of exponent, 2 of mantissa
    float8_e5m2fnuz = 13,    ///< e5m2, no infinities, one zero
    float8_e8m0fnu = 14,     ///< 8 bits of exponent: a power of two
    float6_e2m3fn = 15,      ///< 2 bits of exponent, 3 of mantissa, no infinities
    float6_e3m2fn = 16,      ///< 3 bits of exponent, 2 of mantissa, no infinities
    float4_e2m1fn = 17,      ///< 2 bits of exponent, 1 of mantissa, no infinities
};

/// The type of the elements of a StridedView, as DLPack describes it.
///
///     DataType pair_of_fp4{DataTypeKind::float4_e2m1fn, 4, 2};   // two numbers in a byte
struct DataType {
    DataTypeKind kind = DataTypeKind::floating_point;  ///< the kind of number
    std::uint8_t bits = 32;                            ///< the bits of one number
    std::uint16_t lanes = 1;                           ///< the numbers of an element, as in a float4

    /// Returns the size of an element in bytes. A fraction of a byte counts as one.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return (std::size_t{bits} * lanes + 7) / 8; }

    /// Returns the type of a __half.
    [[nodiscard]] static constexpr DataType float16() noexcept { return {DataTypeKind::floating_point, 16, 1}; }
    /// Returns the type of a __nv_bfloat16.
    [[nodiscard]] static constexpr DataType bfloat16() noexcept { return {DataTypeKind::bfloat, 16, 1}; }

    /// Returns whether both are equal.
    [[nodiscard]] friend constexpr bool operator==(const DataType&, const DataType&) noexcept = default;
};

/// Returns the name of the type: "float32", "bfloat16", "float8_e4m3fn", "bool", or "int32x4" for four lanes.
[[nodiscard]] CUBIND_EXPORT std::string to_string(DataType type);

namespace detail {

template <class Type>
concept IsComplex = requires(const Type& number) {
    typename Type::value_type;
    number.real();
    number.imag();
};

template <class Element>
constexpr DataType type_of_element() {
    constexpr auto bits = static_cast<std::uint8_t>(8 * sizeof(Element));
    if constexpr (std::is_same_v<Element, bool>) {
        return {DataTypeKind::boolean, 8, 1};
    } else if constexpr (std::is_floating_point_v<Element> && sizeof(Element) <= 8) {
        return {DataTypeKind::floating_point, bits, 1};
    } else if constexpr (std::is_integral_v<Element>) {
        return {std::is_signed_v<Element> ? DataTypeKind::signed_integer : DataTypeKind::unsigned_integer, bits, 1};
    } else if constexpr (std::is_same_v<Element, std::byte>) {
        return {DataTypeKind::unsigned_integer, 8, 1};
    } else {
        static_assert(IsComplex<Element>, "the type has no DataType: specialize cubind::data_type for it");
        return {DataTypeKind::complex, bits, 1};
    }
}

}  // namespace detail

/// The DataType of a C++ type: arithmetic types, std::byte and complex numbers. Specialize it for other types:
///
///     template <>
///     inline constexpr DataType cubind::data_type<__half> = DataType::float16();
template <class Element>
CUBIND_HIDDEN inline constexpr DataType data_type = detail::type_of_element<Element>();

}  // namespace CUBIND_NAMESPACE
