// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The unit in which a program maps memory to arrays, in bytes.
inline constexpr std::size_t tile_bytes = 65536;

/// Where the bytes of an array, or of one level of a mipmapped array, are in numbered tiles. Either each tile has a box of the
/// array, or the rows of the array follow each other across tiles.
struct TileLayout {
    std::size_t first_tile = 0;  ///< number of the first tile

    // Boxes: their extent, and the tiles in a row and in a column.
    std::size_t row = 0;  ///< bytes of a row of a tile; 0 if the tiles have no boxes
    std::size_t rows = 1;
    std::size_t slices = 1;
    std::size_t across = 1;
    std::size_t down = 1;

    // Rows across tiles: the first byte, and the distances between rows and between slices in bytes.
    std::size_t begin = 0;
    std::size_t pitch = 0;
    std::size_t slice = 0;

    /// The place of a byte.
    struct Position {
        std::size_t tile;    ///< number of the tile
        std::size_t offset;  ///< in the tile, in bytes
        std::size_t length;  ///< bytes from here to the end of the tile, or of its row
    };
    Position find(std::size_t x, std::size_t y, std::size_t z) const noexcept {
        if (row == 0) {
            const std::size_t at = begin + z * slice + y * pitch + x;
            return {first_tile + at / tile_bytes, at % tile_bytes, tile_bytes - at % tile_bytes};
        }
        const std::size_t tile = first_tile + (z / slices * down + y / rows) * across + x / row;
        return {tile, (z % slices * rows + y % rows) * row + x % row, row - x % row};
    }
};

/// The memory of tiles, by their numbers. A table never changes: a mapping creates another one, so that running work keeps its
/// memory.
class TileTable {
public:
    struct Tile {
        std::size_t number;
        std::shared_ptr<std::byte> memory;  ///< null if the tile has none
    };

    bool is_empty() const noexcept { return tiles_.empty(); }
    /// Returns the memory of a tile, or null if it has none.
    std::byte* find(std::size_t number) const noexcept;
    /// Returns a table with other memory for some tiles, whose numbers must ascend.
    std::shared_ptr<const TileTable> with(const std::vector<Tile>& changes) const;

private:
    std::vector<Tile> tiles_;  ///< those with memory, in the order of their numbers
};

/// An array in tiles, with the memory that they had when work began.
struct TiledMemory {
    const TileLayout layout;
    const std::shared_ptr<const TileTable> table;

    /// Returns the address of a byte, or null if its tile has no memory.
    std::byte* find(const TileLayout::Position& position) const noexcept {
        std::byte* const memory = table->find(position.tile);
        return memory != nullptr ? memory + position.offset : nullptr;
    }
};

}  // namespace CUBIND_NAMESPACE::sim
