// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/fill.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE {

namespace detail {

/// Fills the elements of a view. `type` is the type of the value, or a type without bits for a byte that is repeated.
CUBIND_EXPORT void fill_strided(StreamRef stream, const StridedView& destination, unsigned int pattern, unsigned int pattern_size,
                                DataType type);

}  // namespace detail

/// Sets each element of a view to a value of 1, 2 or 4 bytes, in stream order, with any strides: one call for each plane of rows
/// at a uniform distance (cuMemsetD2D8Async and so on), and for each row of rows that overlap. Gaps between elements remain. The
/// stream's device can access the memory. A captured fill retains the owner of the view.
///
///     fill(stream, matrix.transpose().slice(0, 0, 2), 1.5f);             // elements of float
///     fill(stream, tensor, std::byte{0});                                // elements of any type
///     fill(stream, halves, std::uint16_t{0x3C00});                       // the bits of elements of float16
///
/// The value has the type of the elements, or is an unsigned integer of their size, which is their bits. A std::byte sets all
/// bytes of elements of any type. Throws std::invalid_argument for other types and for a read-only view.
template <class Value>
requires(std::is_trivially_copyable_v<Value>) void fill(StreamRef stream, const StridedView& destination, const Value& value) {
    const detail::UntypedFillValue repeated(value);
    if constexpr (std::is_same_v<Value, std::byte>) {
        detail::fill_strided(stream, destination, repeated.pattern, repeated.size, {.bits = 0});
    } else {
        detail::fill_strided(stream, destination, repeated.pattern, repeated.size, data_type<Value>);
    }
}

}  // namespace CUBIND_NAMESPACE
