// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries of the sizes of textures and surfaces. The GPU reads them from the object. For the other queries, such as that of the
// channel type, ptxas emits loads from a table that the runtime of another language fills, so that they are not supported.
#include <cubind/driver/constants.hpp>

#include <bit>

#include "ptx/handlers/texture/texture.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

enum class Dimension : std::uint32_t { width, height, depth };

constexpr std::uint32_t has_level = 4;  ///< bit of Instruction::extra besides the dimension

// Returns the size in a dimension, or 0 if the geometry does not have it.
std::uint32_t size_of(const Texture& texture, const TextureLevel& level, Dimension dimension) noexcept {
    const bool has_height =
        texture.geometry != Geometry::linear && texture.geometry != Geometry::line && texture.geometry != Geometry::layered_line;
    if (dimension == Dimension::width) return level.width;
    if (dimension == Dimension::height) return has_height ? level.height : 0;
    return texture.geometry == Geometry::volume ? level.depth : 0;
}

template <ObjectFinder::Find find>
const Instruction* query(Warp& warp, const Instruction* instruction) {
    static constexpr const char* names[] = {"width", "height", "depth"};
    const std::uint32_t dimension = instruction->extra & (has_level - 1);
    ObjectFinder finder(warp, find);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        bool is_new = false;
        const Texture& texture = finder.find(warp.from<std::uint64_t>(instruction->slots[1])[lane], lane, is_new);
        const std::uint32_t number =
            (instruction->extra & has_level) != 0 ? warp.from<std::uint32_t>(instruction->slots[2])[lane] : 0;
        if (number >= texture.levels.size()) {
            throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                        "the simulation cannot query level " + std::to_string(number) + " of an object with " +
                            std::to_string(texture.levels.size()) + " levels",
                        static_cast<int>(lane)};
        }
        const std::uint32_t size = size_of(texture, texture.levels[number], static_cast<Dimension>(dimension));
        if (size == 0) {
            throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                        std::string("the simulation cannot query the ") + names[dimension] + " of an object without one",
                        static_cast<int>(lane)};
        }
        warp.to<std::uint32_t>(instruction->slots[0])[lane] = size;
    }
    return instruction + 1;
}

template <ObjectFinder::Find find>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const Dimension dimension = modifiers.has(".width")    ? Dimension::width
                                : modifiers.has(".height") ? Dimension::height
                                                           : Dimension::depth;
    choice.extra = static_cast<std::uint32_t>(dimension) | (modifiers.has(".level") ? has_level : 0);
    return query<find>;
}

constexpr Form forms[] = {
    {"txq", ".width|.height|.depth .b32", "=t []", select<&TextureSource::find_texture>},
    {"txq", ".level .width|.height|.depth .b32", "=t [] t", select<&TextureSource::find_texture>},
    {"suq", ".width|.height|.depth .b32", "=t []", select<&TextureSource::find_surface>},
};

}  // namespace

Forms texture_query_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
