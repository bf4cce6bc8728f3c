// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/array/element.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The storage layout of an array: slices of contiguous rows.
struct Shape {
    std::size_t row = 0;  ///< bytes of a row
    std::size_t rows = 1;
    std::size_t slices = 1;

    std::size_t bytes() const noexcept { return row * rows * slices; }
};

/// Checks whether the slices of an array are layers or faces of cubes.
bool has_layers(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;
/// Checks whether a program maps memory to the tiles of an array.
bool is_sparse(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;
/// Checks whether a program maps memory to the whole array.
bool has_deferred_mapping(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

/// Returns the shape that a descriptor requests, or nullopt if no such array exists.
std::optional<Shape> shape_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

/// Returns the descriptor of one level of detail. Level 0 is the array itself.
driver::CUDA_ARRAY3D_DESCRIPTOR level_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned level) noexcept;

/// Returns the maximum number of levels: halving the longest side down to 1.
unsigned max_levels(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
