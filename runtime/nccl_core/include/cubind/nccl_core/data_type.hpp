// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/types.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE::nccl {

/// The data type by which NCCL knows an element type. It exists for float, double, std::byte, and integers of 1, 4 and 8 bytes.
/// Specialize it for others, such as the 16-bit types of the CUDA headers:
///
///     template <>
///     struct cubind::nccl::DataType<__nv_bfloat16> {
///         static constexpr auto value = cubind::nccl::ncclBfloat16;
///     };
template <class Element>
struct DataType {};

/// The data type of float.
template <>
struct DataType<float> {
    CUBIND_HIDDEN static constexpr ncclDataType_t value = ncclFloat32;  ///< 32-bit floating point
};
/// The data type of double.
template <>
struct DataType<double> {
    CUBIND_HIDDEN static constexpr ncclDataType_t value = ncclFloat64;  ///< 64-bit floating point
};
/// Bytes are reduced as unsigned integers.
template <>
struct DataType<std::byte> {
    CUBIND_HIDDEN static constexpr ncclDataType_t value = ncclUint8;  ///< 8-bit unsigned integer
};
/// The data types of integers.
template <std::integral Element>
requires(!std::is_same_v<Element, bool> && (sizeof(Element) == 1 || sizeof(Element) >= 4)) struct DataType<Element> {
    /// Integer of the same size and sign.
    CUBIND_HIDDEN static constexpr ncclDataType_t value = sizeof(Element) == 1 ? std::is_signed_v<Element> ? ncclInt8 : ncclUint8
                                                          : sizeof(Element) == 4
                                                              ? std::is_signed_v<Element> ? ncclInt32 : ncclUint32
                                                          : std::is_signed_v<Element> ? ncclInt64
                                                                                      : ncclUint64;
};

/// An element type that NCCL can transfer: one with a DataType.
template <class Element>
concept Transferable = requires {
    { DataType<std::remove_cv_t<Element>>::value } -> std::convertible_to<ncclDataType_t>;
};

namespace detail {

/// Returns the size of an element in bytes.
constexpr std::size_t size_of(ncclDataType_t type) noexcept {
    constexpr std::size_t sizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return sizes[type];
}

/// Returns the data type of an element type, whose size must be that of NCCL's elements.
template <Transferable Element>
constexpr ncclDataType_t data_type_of() noexcept {
    constexpr ncclDataType_t type = DataType<std::remove_cv_t<Element>>::value;
    static_assert(type < ncclNumTypes && size_of(type) == sizeof(Element),
                  "nccl::DataType names a type whose elements are of another size");
    return type;
}

}  // namespace detail
}  // namespace CUBIND_NAMESPACE::nccl
