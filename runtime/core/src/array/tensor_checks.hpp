// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/tensor_map.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the bytes of an element; 0 for types that these bindings do not know. An element of the packed types has 4 or 6 bits,
/// and their unit is 16 elements in 8, 12 or 16 bytes.
[[nodiscard]] std::size_t element_size(driver::CUtensorMapDataType type) noexcept;

/// The layout as the driver expects it.
struct NativeLayout {
    driver::cuuint64_t shape[TensorExtents::max_rank];
    driver::cuuint64_t strides[TensorExtents::max_rank];  ///< of each dimension but the innermost
    driver::cuuint32_t element_strides[TensorExtents::max_rank];
    driver::cuuint32_t rank;
};

/// Checks the parts of a layout that all modes have, and converts it. Throws std::invalid_argument.
[[nodiscard]] NativeLayout convert(const TensorLayout& layout, std::size_t min_rank);

/// Throws std::invalid_argument unless the address is a multiple of the alignment, and not 0.
void check_address(driver::CUdeviceptr address, std::size_t alignment);

/// Throws std::invalid_argument unless the value is from `min` to `max`.
void check_range(const std::string& what, long long value, long long min, long long max);

/// Throws std::invalid_argument unless the size of the innermost dimension of a tile, which has this number of elements, is a
/// multiple of 16 bytes and at most the size that the swizzle permutes.
void check_inner_dimension(const TensorLayout& layout, std::uint64_t elements);

/// Throws std::invalid_argument unless the corners leave a pixel in each of the first `count` dimensions of pixels.
void check_corners(const TensorLayout& layout, const int* lower, const int* upper, std::size_t count);

/// Returns sentences that describe a layout that the driver refused, and a tile of this number of elements.
[[nodiscard]] std::string describe(const TensorLayout& layout, std::uint64_t elements);

}  // namespace CUBIND_NAMESPACE::detail
