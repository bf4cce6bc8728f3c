// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shared/tiles.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The type of a channel of a texel.
enum class ChannelType : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };

/// What a texture does with coordinates outside of it.
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// The shape of a texture or surface. `linear` is memory that is addressed only by the index of an element.
enum class Geometry : std::uint8_t { linear, line, plane, volume, layered_line, layered_plane, cube, layered_cube };

/// The memory of one level of detail.
struct TextureLevel {
    std::byte* data = nullptr;                 ///< null if the memory is in tiles
    std::shared_ptr<const TiledMemory> tiles;  ///< null if the memory is not in tiles
    std::uint32_t width = 1;                   ///< in texels
    std::uint32_t height = 1;
    std::uint32_t depth = 1;
    std::uint32_t layers = 1;  ///< six for each cube
    std::size_t pitch = 0;     ///< bytes between rows
    std::size_t slice = 0;     ///< bytes between planes or layers
};

/// What a texture object or a surface object refers to.
struct Texture {
    Geometry geometry = Geometry::plane;
    ChannelType type = ChannelType::f32;
    std::uint8_t channels = 1;
    std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
    bool is_linear = false;            ///< filter between texels
    bool is_linear_of_levels = false;  ///< filter between levels
    bool has_normalized_coordinates = false;
    bool is_normalized = false;  ///< whether integers of 8 and 16 bits become floats
    float level_bias = 0;
    float min_level = 0;
    float max_level = 0;
    std::array<float, 4> border{};
    std::vector<TextureLevel> levels;
    bool has_memory = true;             ///< whether kernels may access it; tiles without memory are no fault
    std::string problem;                ///< why the simulation cannot read it; empty if it can
    std::shared_ptr<const void> owner;  ///< keeps the memory while a kernel may access it

    unsigned channel_bytes() const noexcept {
        switch (type) {
            case ChannelType::u8:
            case ChannelType::s8:
                return 1;
            case ChannelType::u16:
            case ChannelType::s16:
            case ChannelType::f16:
                return 2;
            default:
                return 4;
        }
    }
    unsigned texel_bytes() const noexcept { return channel_bytes() * channels; }
};

/// The texture and surface objects that a kernel may use. Thread-safe.
class TextureSource {
public:
    virtual ~TextureSource() = default;
    /// Return null if there is no object with this handle. Objects remain valid as long as the source.
    virtual const Texture* find_texture(std::uint64_t handle) = 0;
    virtual const Texture* find_surface(std::uint64_t handle) = 0;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
