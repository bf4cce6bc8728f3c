// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of surfaces, which copy bytes without a conversion. The first coordinate counts bytes.
#include <cubind/driver/constants.hpp>

#include <bit>
#include <cstdio>
#include <cstring>

#include "ptx/handlers/memory/kernel_memory.hpp"
#include "ptx/handlers/texture/texel.hpp"
#include "ptx/handlers/texture/texture.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// What an access does outside of the surface.
enum class Outside : std::uint8_t { trap, clamp, zero };

/// The contents of Instruction::extra for an access.
struct SurfaceAccess {
    Geometry geometry = Geometry::plane;
    Outside outside = Outside::trap;
    std::uint8_t element_bytes = 4;
    std::uint8_t length = 1;
    std::uint8_t register_bytes = 4;
    bool is_store = false;

    unsigned bytes() const noexcept { return unsigned{element_bytes} * length; }
    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(geometry) | static_cast<std::uint32_t>(outside) << 4 |
               std::uint32_t{element_bytes} << 8 | std::uint32_t{length} << 16 | std::uint32_t{register_bytes} << 24 |
               std::uint32_t{is_store} << 31;
    }
    static SurfaceAccess unpack(std::uint32_t extra) noexcept {
        return {static_cast<Geometry>(extra & 15),
                static_cast<Outside>(extra >> 4 & 15),
                static_cast<std::uint8_t>(extra >> 8),
                static_cast<std::uint8_t>(extra >> 16),
                static_cast<std::uint8_t>(extra >> 24 & 127),
                extra >> 31 != 0};
    }
};

/// Where a thread accesses a surface.
struct SurfacePlace {
    std::int64_t byte = 0;
    std::int64_t y = 0;
    std::int64_t z = 0;  ///< plane or layer
};

SurfacePlace read_place(const Warp& warp, const Instruction* instruction, SurfaceAccess access, unsigned operand, unsigned lane) {
    const auto take = [&] { return warp.from<std::int32_t>(slot_of(instruction, operand++))[lane]; };
    SurfacePlace place;
    if (is_layered(access.geometry)) place.z = static_cast<std::uint32_t>(take());
    place.byte = take();
    if (access.geometry == Geometry::plane || access.geometry == Geometry::layered_plane || access.geometry == Geometry::volume)
        place.y = take();
    if (access.geometry == Geometry::volume) place.z = take();
    return place;
}

// Moves a coordinate into the surface. Returns whether it was outside.
bool clamp(std::int64_t& coordinate, std::int64_t last) noexcept {
    const std::int64_t inside = coordinate < 0 ? 0 : coordinate > last ? last : coordinate;
    const bool is_outside = inside != coordinate;
    coordinate = inside;
    return is_outside;
}

bool has_geometry(const Texture& surface, Geometry geometry) noexcept {
    // The faces of cubes are layers.
    if (geometry == Geometry::layered_plane)
        return surface.geometry == geometry || surface.geometry == Geometry::cube || surface.geometry == Geometry::layered_cube;
    return surface.geometry == geometry;
}

void check_surface(const Texture& surface, SurfaceAccess access, unsigned lane) {
    const char* problem = nullptr;
    if (!surface.problem.empty()) problem = surface.problem.c_str();
    if (problem == nullptr && !has_geometry(surface, access.geometry))
        problem = "does not have the dimensions of the instruction";
    if (problem == nullptr) return check_memory(surface, lane);
    throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                std::string("the simulation cannot access the surface in this way: it ") + problem, static_cast<int>(lane)};
}

// Returns the memory of an access, or null if it is outside of the surface or in a tile without memory.
std::byte* find_memory(const Texture& surface, SurfaceAccess access, SurfacePlace place, unsigned lane) {
    const TextureLevel& level = surface.levels[0];
    const std::int64_t row = std::int64_t{level.width} * surface.texel_bytes();
    const SurfacePlace asked = place;
    if ((place.byte & (access.bytes() - 1)) != 0 || row < access.bytes()) {
        char text[120];
        std::snprintf(text, sizeof text, "surface access of %u bytes at byte %lld of a row of %lld bytes is misaligned",
                      access.bytes(), static_cast<long long>(asked.byte), static_cast<long long>(row));
        throw Fault{driver::CUDA_ERROR_MISALIGNED_ADDRESS, text, static_cast<int>(lane)};
    }
    bool is_outside = clamp(place.byte, (row / access.bytes() - 1) * access.bytes());
    is_outside |= clamp(place.y, std::int64_t{level.height} - 1);
    is_outside |= clamp(place.z, std::int64_t{access.geometry == Geometry::volume ? level.depth : level.layers} - 1);
    if (is_outside && access.outside == Outside::zero) return nullptr;
    if (is_outside && access.outside == Outside::trap) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "surface %s of %u bytes at byte %lld of row %lld of plane %lld is outside of the surface",
                      access.is_store ? "store" : "load", access.bytes(), static_cast<long long>(asked.byte),
                      static_cast<long long>(asked.y), static_cast<long long>(asked.z));
        throw Fault{driver::CUDA_ERROR_LAUNCH_FAILED, text, static_cast<int>(lane)};
    }
    return address_of(level, place.byte, place.y, place.z);
}

CUBIND_KERNEL_MEMORY void copy_element(std::byte* to, const std::byte* from, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to[i] = from[i];
}

std::byte* register_of(Warp& warp, std::uint32_t slot, unsigned bytes, unsigned lane) {
    return warp.to<std::byte>(slot) + std::size_t{lane} * bytes;
}

const Instruction* access_surface(Warp& warp, const Instruction* instruction) {
    const SurfaceAccess access = SurfaceAccess::unpack(instruction->extra);
    const unsigned handle_operand = access.is_store ? 0 : access.length;
    const unsigned first_value = access.is_store ? 1 + coordinates_of(access.geometry) : 0;
    ObjectFinder finder(warp, &TextureSource::find_surface);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        bool is_new = false;
        const std::uint64_t handle = warp.from<std::uint64_t>(slot_of(instruction, handle_operand))[lane];
        const Texture& surface = finder.find(handle, lane, is_new);
        if (is_new) check_surface(surface, access, lane);
        std::byte* memory = find_memory(surface, access, read_place(warp, instruction, access, handle_operand + 1, lane), lane);
        for (unsigned i = 0; i < access.length; ++i) {
            const std::uint32_t slot = slot_of(instruction, first_value + i);
            if (slot == no_slot) continue;
            std::byte value[8] = {};
            std::byte* const element = memory != nullptr ? memory + i * access.element_bytes : nullptr;
            if (access.is_store) {
                if (element == nullptr) continue;
                std::memcpy(value, warp.from<std::byte>(slot) + std::size_t{lane} * access.register_bytes, access.register_bytes);
                copy_element(element, value, access.element_bytes);
            } else {
                if (element != nullptr) copy_element(value, element, access.element_bytes);
                std::memcpy(register_of(warp, slot, access.register_bytes, lane), value, access.register_bytes);
            }
        }
    }
    return instruction + 1;
}

template <bool is_store>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    SurfaceAccess access;
    access.geometry = geometry_of(modifiers);
    access.outside = modifiers.has(".trap") ? Outside::trap : modifiers.has(".clamp") ? Outside::clamp : Outside::zero;
    access.element_bytes = static_cast<std::uint8_t>(bytes_of_type(modifiers.type()));
    access.length = static_cast<std::uint8_t>(modifiers.vector_length());
    access.is_store = is_store;
    const unsigned coordinates = coordinates_of(access.geometry);
    if (choice.slots != 1 + coordinates + access.length) return nullptr;
    const unsigned first_value = is_store ? 1 + coordinates : 0;
    access.register_bytes = 0;
    for (unsigned i = 0; i < access.length; ++i) {
        const std::uint8_t bytes = choice.bytes[first_value + i];
        if (bytes == 0) continue;
        if (bytes > 8 || (access.register_bytes != 0 && access.register_bytes != bytes)) return nullptr;
        access.register_bytes = bytes;
    }
    choice.extra = access.pack();
    return access_surface;
}

#define CUBIND_DIMENSIONS ".1d|.2d|.3d|.a1d|.a2d "
#define CUBIND_OUTSIDE " .trap|.clamp|.zero"
#define CUBIND_LOAD CUBIND_DIMENSIONS "[.ca|.cg|.cs|.cv] "
#define CUBIND_STORE CUBIND_DIMENSIONS "[.wb|.cg|.cs|.wt] "

constexpr Form forms[] = {
    {"suld", ".b " CUBIND_LOAD "[.v2] .b8|.b16|.b32|.b64" CUBIND_OUTSIDE, "=v [b32]", select<false>},
    {"suld", ".b " CUBIND_LOAD ".v4 .b8|.b16|.b32" CUBIND_OUTSIDE, "=v [b32]", select<false>},
    {"sust", ".b " CUBIND_STORE "[.v2] .b8|.b16|.b32|.b64" CUBIND_OUTSIDE, "[b32] v", select<true>},
    {"sust", ".b " CUBIND_STORE ".v4 .b8|.b16|.b32" CUBIND_OUTSIDE, "[b32] v", select<true>},
};

}  // namespace

Forms surface_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
