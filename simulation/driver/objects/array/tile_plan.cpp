// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/tile_plan.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <bit>

#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

bool is_volume(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    return d.Depth != 0 && !has_layers(d);
}

// Returns the extent of a tile, in bytes of a row, rows and slices: the most nearly cubic or square box of elements whose sides
// are powers of two. If the sides differ, the width is larger than the height, and the height than the depth.
Shape tile_of(const CUDA_ARRAY3D_DESCRIPTOR& d, const Element& element) noexcept {
    Shape tile{1, 1, 1};
    while (tile.bytes() * element.bytes < tile_bytes) {
        if (tile.row <= tile.rows && (!is_volume(d) || tile.row <= tile.slices)) {
            tile.row *= 2;
        } else if (!is_volume(d) || tile.rows <= tile.slices) {
            tile.rows *= 2;
        } else {
            tile.slices *= 2;
        }
    }
    tile.row *= element.bytes;
    return tile;
}

// Returns the shape of a level with the gaps that the GPU leaves: rows of whole 64 bytes, and blocks of rows and slices, which
// are powers of two up to a limit.
Shape padded_shape(const Shape& shape, std::size_t max_rows, std::size_t max_slices) noexcept {
    constexpr std::size_t row_unit = 64;
    constexpr std::size_t min_rows = 8;
    const std::size_t rows = std::min(std::bit_ceil(std::max(shape.rows, min_rows)), max_rows);
    const std::size_t slices = std::min(std::bit_ceil(shape.slices), max_slices);
    return {round_up(shape.row, row_unit), round_up(shape.rows, rows), round_up(shape.slices, slices)};
}

constexpr std::size_t tiles(std::size_t size, std::size_t side) noexcept {
    return (size + side - 1) / side;
}

}  // namespace

TilePlan plan_tiles(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels, bool is_mipmapped) {
    const Element element = *element_of(descriptor.Format, descriptor.NumChannels);
    const Shape tile = tile_of(descriptor, element);
    const std::size_t layers = has_layers(descriptor) ? descriptor.Depth : 1;
    TilePlan plan;
    plan.descriptor = descriptor;
    const auto has_boxes = [&](const CUDA_ARRAY3D_DESCRIPTOR& d) {
        return is_sparse(d) && d.Width >= tile.row / element.bytes * element.side && d.Height >= tile.rows * element.side &&
               (!is_volume(d) || d.Depth >= tile.slices);
    };
    while (plan.first_tail_level < levels) {
        const CUDA_ARRAY3D_DESCRIPTOR level = level_of(descriptor, static_cast<unsigned>(plan.first_tail_level));
        if (!has_boxes(level)) break;
        const Shape shape = *shape_of(level);
        TileLayout layout;
        layout.first_tile = plan.tail_tile;
        layout.row = tile.row;
        layout.rows = tile.rows;
        layout.slices = tile.slices;
        layout.across = tiles(shape.row, tile.row);
        layout.down = tiles(shape.rows, tile.rows);
        plan.levels.push_back(layout);
        plan.tail_tile += layout.across * layout.down * tiles(shape.slices, tile.slices);
        ++plan.first_tail_level;
    }
    // The tail of one layer: its levels follow each other. The blocks of a tail are as large as tiles at most.
    const bool has_tiles = plan.first_tail_level != 0;
    constexpr std::size_t max_rows_of_planes = 128;
    constexpr std::size_t max_slices_of_volumes = 32;
    const std::size_t max_rows = !is_volume(descriptor) ? max_rows_of_planes : has_tiles ? tile.rows : 8;
    const std::size_t max_slices = has_tiles ? tile.slices : max_slices_of_volumes;
    std::size_t end = 0;
    for (auto i = static_cast<unsigned>(plan.first_tail_level); i < levels; ++i) {
        Shape shape = *shape_of(level_of(descriptor, i));
        if (!is_volume(descriptor)) shape.slices = 1;
        const Shape padded = padded_shape(shape, max_rows, max_slices);
        TileLayout layout;
        layout.first_tile = plan.tail_tile;
        layout.begin = end;
        layout.pitch = padded.row;
        layout.slice = padded.row * padded.rows;
        plan.levels.push_back(layout);
        end += padded.bytes();
    }
    // If level 0 is in the tail, all layers share one.
    plan.tails = has_tiles ? layers : 1;
    plan.tail_size = round_up(has_tiles ? end : end * layers, tile_bytes);
    if (!is_volume(descriptor)) {
        for (std::size_t i = plan.first_tail_level; i < levels; ++i) plan.levels[i].slice = has_tiles ? plan.tail_size : end;
    }
    if (!is_sparse(descriptor)) return plan;
    const auto side = static_cast<unsigned>(element.side);
    plan.properties.tileExtent = {static_cast<unsigned>(tile.row / element.bytes) * side, static_cast<unsigned>(tile.rows) * side,
                                  static_cast<unsigned>(tile.slices)};
    plan.properties.miptailFirstLevel = is_mipmapped ? static_cast<unsigned>(plan.first_tail_level) : 0;
    plan.properties.miptailSize = plan.tail_size;
    if (!has_tiles) plan.properties.flags = CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL;
    return plan;
}

}  // namespace CUBIND_NAMESPACE::sim
