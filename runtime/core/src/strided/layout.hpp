// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/core/strided/dimensions.hpp>

#include <cstddef>
#include <cstdint>

/// Computations with the shape and the strides of an array.
namespace CUBIND_NAMESPACE::detail {

/// Returns the number of elements. The layout was checked.
[[nodiscard]] std::size_t element_count(const Dimensions& shape) noexcept;

/// Returns the strides of elements without gaps in row-major order. Throws std::invalid_argument if one exceeds 2^63 - 1.
[[nodiscard]] Dimensions row_major_strides(const Dimensions& shape);

/// Returns whether the elements follow each other without gaps in row-major order.
[[nodiscard]] bool is_row_major(const Dimensions& shape, const Dimensions& strides) noexcept;

/// Returns whether no two indices share an element. Exact if at most two dimensions interleave, else false. The layout was
/// checked.
[[nodiscard]] bool is_unique(const Dimensions& shape, const Dimensions& strides) noexcept;

/// Returns the dimensions from the largest distance of their elements to the smallest.
[[nodiscard]] Dimensions stride_order(const Dimensions& shape, const Dimensions& strides);

/// Throws std::invalid_argument if elements at these offsets from an address would have no address.
void check_addresses(const void* data, const OffsetBounds& range, std::size_t element_size);

/// Returns the dimensions in the reverse order.
[[nodiscard]] Dimensions reversed(const Dimensions& dimensions);

/// Throws std::invalid_argument for negative extents, for strides of another rank, and for sizes and distances of 2^62
/// bytes or more. Returns the offsets of the elements.
OffsetBounds check_layout(const Dimensions& shape, const Dimensions& strides, std::size_t element_size);

/// Throws std::invalid_argument for types without bits or lanes, for numbers of bits that the kind cannot have, and for elements
/// that are not whole bytes unless they are padded.
void check_type(DataType type, bool is_padded);

}  // namespace CUBIND_NAMESPACE::detail
