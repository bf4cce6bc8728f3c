// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/box_view.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>

#include "array/array_description.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns whether a side of a copy is an array or has rows. Memory without a shape has no pitch, no array and no elements.
inline bool has_shape(const BoxView& side) noexcept {
    return side.array != nullptr || side.element_size != 0;
}

/// One side of a copy as the driver expects it. Of an array: the position, in bytes, rows and slices. Of linear memory: the
/// address and the distances of rows and slices.
struct BoxEnd {
    driver::CUarray array = nullptr;
    driver::CUdeviceptr address = 0;
    std::size_t x = 0;
    std::size_t y = 0;
    std::size_t z = 0;
    std::size_t pitch = 0;
    std::size_t rows_per_slice = 0;
};

/// A copy as the driver expects it. For compressed formats, rows are rows of blocks.
struct BoxPlan {
    BoxEnd to;
    BoxEnd from;
    std::size_t width = 0;  ///< in bytes
    std::size_t height = 0;
    std::size_t depth = 0;
    ArrayUnit unit = {};  ///< of the array, or of the elements if there is none

    bool is_empty() const noexcept { return width == 0 || height == 0 || depth == 0; }
};

/// Checks both sides and computes the copy. Throws std::invalid_argument, which names the values that do not fit.
[[nodiscard]] BoxPlan plan_copy(const BoxView& destination, const BoxView& source);

}  // namespace CUBIND_NAMESPACE::detail
