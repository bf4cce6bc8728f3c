// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "array/element.hpp"

namespace cubind::sim {

/// An array as the driver stores it: rows of so many bytes, side by side.
struct Shape {
    std::size_t row = 0;  ///< bytes
    std::size_t rows = 1;
    std::size_t slices = 1;

    std::size_t bytes() const noexcept { return row * rows * slices; }
};

/// The shape that a descriptor asks for; none where it asks for what no array is.
std::optional<Shape> shape_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

/// The same array, so many levels of detail down.
CUDA_ARRAY3D_DESCRIPTOR level_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned level) noexcept;

/// How many levels there are until nothing can be halved any more.
unsigned most_levels(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

}  // namespace cubind::sim
