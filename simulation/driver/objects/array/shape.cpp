// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/shape.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <bit>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// The flags for depth textures and color attachments apply only to memory of a graphics API.
constexpr unsigned known_flags = unsigned{CUDA_ARRAY3D_LAYERED} | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                                 CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                                 CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;

struct Limit {
    std::size_t width, height, depth;

    bool contains(const CUDA_ARRAY3D_DESCRIPTOR& d) const noexcept {
        return d.Width <= width && d.Height <= height && d.Depth <= depth;
    }
};

constexpr Limit linear = {131072, 0, 0};
constexpr Limit plane = {131072, 65536, 0};
constexpr Limit gathered_plane = {32768, 32768, 0};
constexpr Limit volume = {16384, 16384, 16384};
constexpr Limit deep_volume = {8192, 8192, 32768};
constexpr Limit layers = {32768, 32768, 2048};
constexpr Limit cubes = {32768, 32768, 2046};

// Checks whether the array has one of the flags.
bool has(const CUDA_ARRAY3D_DESCRIPTOR& d, int flags) noexcept {
    return (d.Flags & static_cast<unsigned>(flags)) != 0;
}

bool is_possible(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    const bool is_layered = has(d, CUDA_ARRAY3D_LAYERED);
    const bool is_gathered = has(d, CUDA_ARRAY3D_TEXTURE_GATHER);
    if (d.Width == 0 || (d.Flags & ~known_flags) != 0) return false;
    if (is_gathered && (d.Height == 0 || (d.Depth != 0 && !is_layered))) return false;
    constexpr int not_sparse = CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_DEFERRED_MAPPING;
    if (has(d, CUDA_ARRAY3D_SPARSE) && (d.Height == 0 || has(d, not_sparse))) return false;
    if (has(d, CUDA_ARRAY3D_CUBEMAP)) {
        const bool are_cubes = is_layered ? d.Depth != 0 && d.Depth % 6 == 0 : d.Depth == 6;
        return are_cubes && d.Width == d.Height && cubes.contains(d);
    }
    if (is_layered) return d.Depth != 0 && layers.contains(d);
    if (d.Depth != 0) return d.Height != 0 && (volume.contains(d) || deep_volume.contains(d));
    return d.Height == 0 ? linear.contains(d) : (is_gathered ? gathered_plane : plane).contains(d);
}

std::size_t halve(std::size_t size, unsigned times) noexcept {
    return size == 0 ? 0 : std::max<std::size_t>(size >> times, 1);
}

}  // namespace

bool has_layers(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    return has(d, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
}

bool is_sparse(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    return has(d, CUDA_ARRAY3D_SPARSE);
}

bool has_deferred_mapping(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    return has(d, CUDA_ARRAY3D_DEFERRED_MAPPING);
}

std::optional<Shape> shape_of(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    const auto element = element_of(d.Format, d.NumChannels);
    if (!element || !is_possible(d)) return std::nullopt;
    const auto elements = [&](std::size_t texels) {
        return std::max<std::size_t>((texels + element->side - 1) / element->side, 1);
    };
    return Shape{elements(d.Width) * element->bytes, elements(d.Height), std::max<std::size_t>(d.Depth, 1)};
}

CUDA_ARRAY3D_DESCRIPTOR level_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned level) noexcept {
    CUDA_ARRAY3D_DESCRIPTOR d = descriptor;
    const bool are_layers = has_layers(d);
    d.Width = halve(d.Width, level);
    d.Height = halve(d.Height, level);
    if (!are_layers) d.Depth = halve(d.Depth, level);
    return d;
}

unsigned max_levels(const CUDA_ARRAY3D_DESCRIPTOR& d) noexcept {
    const bool are_layers = has_layers(d);
    const std::size_t longest = std::max({d.Width, d.Height, are_layers ? std::size_t{0} : d.Depth});
    return static_cast<unsigned>(std::bit_width(longest));
}

}  // namespace CUBIND_NAMESPACE::sim
