// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Reads of textures.
Forms texture_forms();
/// Queries of the sizes of textures and surfaces.
Forms texture_query_forms();
/// Loads and stores of surfaces.
Forms surface_forms();

/// Returns the geometry that the modifiers of an instruction name.
Geometry geometry_of(const Modifiers& modifiers) noexcept;

constexpr bool is_layered(Geometry geometry) noexcept {
    return geometry == Geometry::layered_line || geometry == Geometry::layered_plane || geometry == Geometry::layered_cube;
}

/// Returns the number of coordinates in the text, including the layer, and the padding of a vector of four.
constexpr unsigned coordinates_of(Geometry geometry) noexcept {
    switch (geometry) {
        case Geometry::line:
            return 1;
        case Geometry::plane:
        case Geometry::layered_line:
            return 2;
        default:
            return 4;
    }
}

/// Throws a fault of the thread if the object's memory must not be accessed.
void check_memory(const Texture& object, unsigned lane);

/// Finds the objects of the handles of a warp, most of which are the same.
class ObjectFinder {
public:
    using Find = const Texture* (TextureSource::*)(std::uint64_t);

    ObjectFinder(const Warp& warp, Find own_find) : source_(warp.block.grid->request.textures), find_(own_find) {}

    /// Returns the object of a thread's handle. Sets `is_new` if the handle differs from the one of the previous call.
    const Texture& find(std::uint64_t handle, unsigned lane, bool& is_new);

private:
    TextureSource* const source_;
    const Find find_;
    const Texture* object_ = nullptr;
    std::uint64_t handle_ = 0;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
