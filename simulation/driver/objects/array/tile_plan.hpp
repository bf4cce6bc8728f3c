// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "objects/array/shape.hpp"
#include "shared/tiles.hpp"

namespace CUBIND_NAMESPACE::sim {

/// How an array whose memory the program maps, with all levels of a mipmapped array, is divided into tiles.
///
/// The large levels of a sparse array consist of boxes. The others are its tail, and so are all levels of a deferred mapping.
struct TilePlan {
    driver::CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    driver::CUDA_ARRAY_SPARSE_PROPERTIES properties{};  ///< zeros for a deferred mapping
    std::vector<TileLayout> levels;
    std::size_t first_tail_level = 0;
    std::size_t tail_tile = 0;  ///< number of the first tile of the tail
    std::size_t tail_size = 0;  ///< bytes of a tail, in whole tiles
    std::size_t tails = 1;      ///< one for all layers, or one for each
};

/// Divides an array as an H100 does. The descriptor must be possible.
TilePlan plan_tiles(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels, bool is_mipmapped);

}  // namespace CUBIND_NAMESPACE::sim
