// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE::nvshmem {

/// The types of elements that NVSHMEM reduces.
enum class ElementType : unsigned char {
    int8,      ///< 8-bit signed integer
    int16,     ///< 16-bit signed integer
    int32,     ///< 32-bit signed integer
    int64,     ///< 64-bit signed integer
    uint8,     ///< 8-bit unsigned integer
    uint16,    ///< 16-bit unsigned integer
    uint32,    ///< 32-bit unsigned integer
    uint64,    ///< 64-bit unsigned integer
    float32,   ///< 32-bit floating point
    float64,   ///< 64-bit floating point
    float16,   ///< 16-bit floating point
    bfloat16,  ///< 16-bit floating point with the exponent of float
};

/// The ElementType by which NVSHMEM knows an element type. It exists for float, double, and integers other than bool. Specialize
/// it for others, such as the 16-bit types of the CUDA headers:
///
///     template <>
///     struct cubind::nvshmem::DataType<__half> {
///         static constexpr auto value = cubind::nvshmem::ElementType::float16;
///     };
template <class Element>
struct DataType {};

/// The type of float.
template <>
struct DataType<float> {
    CUBIND_HIDDEN static constexpr ElementType value = ElementType::float32;  ///< 32-bit floating point
};
/// The type of double.
template <>
struct DataType<double> {
    CUBIND_HIDDEN static constexpr ElementType value = ElementType::float64;  ///< 64-bit floating point
};
/// The types of integers.
template <std::integral Element>
requires(!std::is_same_v<Element, bool>) struct DataType<Element> {
    /// Integer of the same size and sign.
    CUBIND_HIDDEN static constexpr ElementType value =
        sizeof(Element) == 1        ? std::is_signed_v<Element> ? ElementType::int8 : ElementType::uint8
        : sizeof(Element) == 2      ? std::is_signed_v<Element> ? ElementType::int16 : ElementType::uint16
        : sizeof(Element) == 4      ? std::is_signed_v<Element> ? ElementType::int32 : ElementType::uint32
        : std::is_signed_v<Element> ? ElementType::int64
                                    : ElementType::uint64;
};

namespace detail {

/// An element type that NVSHMEM can reduce: one with a DataType.
template <class Element>
concept HasDataType = requires {
    { DataType<std::remove_cv_t<Element>>::value } -> std::convertible_to<ElementType>;
};

constexpr bool is_integer(ElementType type) noexcept {
    return type <= ElementType::uint64;
}

/// Returns the size of an element in bytes.
constexpr std::size_t size_of(ElementType type) noexcept {
    constexpr std::size_t sizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2, 2};
    return sizes[static_cast<std::size_t>(type)];
}

/// Returns the type of an element type, whose size must be that of NVSHMEM's elements.
template <class Element>
constexpr ElementType data_type_of() noexcept {
    static_assert(HasDataType<Element>,
                  "NVSHMEM cannot compute with this element type: use integers, float or double, or "
                  "specialize nvshmem::DataType for a 16-bit type");
    constexpr ElementType type = DataType<std::remove_cv_t<Element>>::value;
    static_assert(size_of(type) == sizeof(Element), "nvshmem::DataType names a type whose elements are of another size");
    return type;
}

}  // namespace detail
}  // namespace CUBIND_NAMESPACE::nvshmem
