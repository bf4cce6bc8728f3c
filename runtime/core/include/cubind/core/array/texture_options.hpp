// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>

namespace CUBIND_NAMESPACE {

/// What a texture returns for coordinates outside of it.
enum class AddressMode : unsigned char {
    wrap,    ///< the texture repeats; requires normalized coordinates
    clamp,   ///< the nearest element at the edge
    mirror,  ///< the texture repeats, and every second repetition is mirrored; requires normalized coordinates
    border   ///< TextureOptions::border_color
};

/// How a texture computes a value from neighboring elements or levels.
enum class FilterMode : unsigned char {
    point,  ///< the nearest element or level
    linear  ///< linear interpolation of the neighbors in each dimension
};

/// What a kernel reads from a texture with integer elements.
enum class ReadMode : unsigned char {
    element_type,     ///< the integers
    normalized_float  ///< floats from 0 to 1, or from -1 to 1 for signed integers; for elements of 1 or 2 bytes per channel
};

/// The address mode of each dimension.
///
///     .address_mode = AddressMode::wrap
///     .address_mode = {AddressMode::wrap, AddressMode::clamp}
class AddressModes {
public:
    /// Sets the same mode for all dimensions.
    constexpr AddressModes(AddressMode all) noexcept : x(all), y(all), z(all) {}
    /// Sets a mode for each dimension.
    constexpr AddressModes(AddressMode in_x, AddressMode in_y, AddressMode in_z = AddressMode::clamp) noexcept
        : x(in_x), y(in_y), z(in_z) {}

    AddressMode x;  ///< the mode of the first dimension
    AddressMode y;  ///< the mode of the second dimension
    AddressMode z;  ///< the mode of the third dimension
    /// Returns whether all modes are equal.
    [[nodiscard]] friend constexpr bool operator==(const AddressModes&, const AddressModes&) noexcept = default;
};

/// How a texture is sampled.
///
///     {.address_mode = AddressMode::wrap, .filter_mode = FilterMode::linear, .normalized_coordinates = true}
struct TextureOptions {
    /// The value of `max_mipmap_level_clamp` that allows all levels.
    CUBIND_HIDDEN static constexpr float all_levels = 1e6f;

    /// What the texture returns for coordinates outside of it.
    AddressModes address_mode = AddressMode::clamp;
    /// How neighboring elements are combined. FilterMode::linear requires floats, half precision or normalized integers, or
    /// ReadMode::normalized_float.
    FilterMode filter_mode = FilterMode::point;
    /// What a kernel reads from integer elements.
    ReadMode read_mode = ReadMode::element_type;
    /// Whether coordinates extend from 0 to 1, and not from 0 to the number of elements.
    bool normalized_coordinates = false;
    /// Whether the red, green and blue channels are converted from sRGB to linear values. Requires unsigned integers of 1 byte
    /// per channel and ReadMode::normalized_float.
    bool srgb = false;
    /// Whether the device must compute trilinear filtering exactly (CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION).
    bool disable_trilinear_optimization = false;
    /// Whether filtering at the edge of a face of a cubemap includes elements of the neighboring face. The driver rejects it for
    /// other arrays and for memory.
    bool seamless_cubemap = false;
    /// The highest ratio of anisotropic filtering, at most 16; 0 and 1 disable it.
    unsigned int max_anisotropy = 0;
    /// How neighboring levels of a mipmapped array are combined.
    FilterMode mipmap_filter_mode = FilterMode::point;
    /// The number that is added to the level of detail.
    float mipmap_level_bias = 0;
    /// The lowest level of detail that is read; 0 is the largest image.
    float min_mipmap_level_clamp = 0;
    /// The highest level of detail that is read. It is limited to the last level of the array.
    float max_mipmap_level_clamp = all_levels;
    /// The value outside of the texture for AddressMode::border: one number for each channel.
    std::array<float, 4> border_color = {};

    /// Returns whether all options are equal.
    [[nodiscard]] friend bool operator==(const TextureOptions&, const TextureOptions&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
