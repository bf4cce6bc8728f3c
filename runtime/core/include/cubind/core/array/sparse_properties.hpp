// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/mipmapped_array.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE {

/// How a sparse array is divided into tiles, to which a program maps memory.
struct SparseProperties {
    /// The bytes of a tile of any format.
    CUBIND_HIDDEN static constexpr std::size_t tile_size = 65536;

    /// The elements of a tile.
    Extent3D tile = {};
    /// The first level of the tail, the small levels that are mapped together. Equals or exceeds the number of levels if there is
    /// no tail.
    unsigned int first_tail_level = 0;
    /// The bytes of a tail.
    std::size_t tail_size = 0;
    /// Whether all layers share one tail; otherwise each layer has its own.
    bool has_single_tail = false;

    /// Returns the bytes that an extent of elements needs: whole tiles. If they exceed std::size_t, returns its maximum, of which
    /// no TilePool can be created. A tile that has 0 elements in a dimension counts as one of 1 element.
    [[nodiscard]] constexpr std::size_t bytes_of(const Extent3D& extent) const noexcept {
        constexpr std::size_t max = ~std::size_t{0};
        const auto tiles = [](std::size_t elements, std::size_t side) {
            return side == 0 ? elements : elements / side + (elements % side != 0 ? 1 : 0);
        };
        const auto times = [](std::size_t left, std::size_t right) {
            return right != 0 && left > max / right ? max : left * right;
        };
        if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return 0;
        return times(
            times(times(tiles(extent.width, tile.width), tiles(extent.height, tile.height)), tiles(extent.depth, tile.depth)),
            tile_size);
    }
};

/// Returns the properties of a sparse array (cuArrayGetSparseProperties). Throws std::invalid_argument for another array.
[[nodiscard]] CUBIND_EXPORT SparseProperties sparse_properties(ArrayRef array);
/// Returns the properties of a sparse mipmapped array (cuMipmappedArrayGetSparseProperties). Throws std::invalid_argument for
/// another array.
[[nodiscard]] CUBIND_EXPORT SparseProperties sparse_properties(MipmappedArrayRef array);

}  // namespace CUBIND_NAMESPACE
