// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/run/texture.hpp"

/// The reading of single texels.
namespace CUBIND_NAMESPACE::sim::ptx {

/// The place of a texel in a level. Places outside of the level read the border.
struct TexelPlace {
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;  ///< plane or layer
    bool is_border = false;
};

/// The channels of a texel as a texture returns them: bits of floats, or integers.
using Texel = std::array<std::uint32_t, 4>;

/// The channels of a texel for filtering, before integers are divided by the largest one.
using TexelValue = std::array<double, 4>;

/// Returns whether reads of the texture return floats.
bool has_float_texels(const Texture& texture) noexcept;

/// Reads a texel. Channels that the texture does not have are 0, the last one 1.
Texel read_texel(const Texture& texture, const TextureLevel& level, const TexelPlace& place);

/// Reads a texel for filtering: floats have their value, integers that become floats the integer.
TexelValue read_value(const Texture& texture, const TextureLevel& level, const TexelPlace& place);

/// Converts the sum of values, each times its weight in 1/256, to what the texture returns.
Texel to_texel(const Texture& texture, const TexelValue& sum);

/// Rounds to the nearest float, ties away from zero.
float round_away(double value) noexcept;

/// The memory of a texel, or null if its tile has none.
inline std::byte* address_of(const TextureLevel& level, std::int64_t byte, std::int64_t y, std::int64_t z) noexcept {
    if (level.tiles != nullptr) [[unlikely]] {
        const TiledMemory& tiles = *level.tiles;
        return tiles.find(
            tiles.layout.find(static_cast<std::size_t>(byte), static_cast<std::size_t>(y), static_cast<std::size_t>(z)));
    }
    return level.data + static_cast<std::size_t>(z) * level.slice + static_cast<std::size_t>(y) * level.pitch +
           static_cast<std::size_t>(byte);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
