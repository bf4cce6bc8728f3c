// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/extent.hpp>
#include <cubind/driver/types.hpp>

#include <concepts>
#include <cstddef>

/// The operands of copies in two and three dimensions.
namespace CUBIND_NAMESPACE {

class Buffer;
class StreamRef;

namespace detail {

class ArrayState;

/// One side of a copy: a part of an array, rows of linear memory, or memory without a shape.
struct BoxView {
    driver::CUarray array = nullptr;          ///< nullptr for linear memory
    const ArrayState* array_state = nullptr;  ///< the state of an array that cubind owns
    Offset3D offset = {};                     ///< the first element in the array
    driver::CUdeviceptr address = 0;          ///< the address of the first element in linear memory
    const Buffer* buffer = nullptr;           ///< the buffer that owns the linear memory
    Extent3D extent = {};                     ///< the elements in each dimension
    std::size_t element_size = 0;             ///< in bytes; of linear memory
    std::size_t pitch = 0;           ///< the bytes from one row of linear memory to the next; 0 for memory without a shape
    std::size_t rows_per_slice = 0;  ///< the rows from one slice of linear memory to the next
    std::size_t size = 0;            ///< the bytes of memory without a shape
};

/// Copies the extent of the source, or of the destination if the source has no shape.
CUBIND_EXPORT void copy_box(StreamRef stream, const BoxView& destination, const BoxView& source);

/// An array, a part of an array, or pitched memory: a class for which argument-dependent lookup finds a function
/// `box_view_of(object)`.
template <class Type>
concept IsBox = requires(const Type& object) {
    { box_view_of(object) } -> std::same_as<BoxView>;
};

/// A box whose elements have a known type.
template <class Type>
concept IsTypedBox = IsBox<Type> && requires {
    typename Type::element_type;
};

/// The type of the elements of a box, or std::byte if they may have any type.
template <class Type>
struct BoxElement {
    using Element = std::byte;
};
template <IsTypedBox Type>
struct BoxElement<Type> {
    using Element = typename Type::element_type;
};

}  // namespace detail
}  // namespace CUBIND_NAMESPACE
