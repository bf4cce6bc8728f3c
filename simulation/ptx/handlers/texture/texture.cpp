// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads of textures. All results have 32 bits. Their type follows from the format of the texture, not from the instruction.
#include "ptx/handlers/texture/texture.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <cstdio>

#include "ptx/handlers/texture/sampling.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr unsigned handle_operand = 4;  // after the four destinations
constexpr unsigned first_coordinate = handle_operand + 1;

/// The contents of Instruction::extra for a read.
struct ReadKind {
    Geometry geometry = Geometry::plane;
    SampleUse use = SampleUse::sample;
    bool has_level = false;
    std::uint8_t channel = 0;  ///< channel that is gathered

    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(geometry) | static_cast<std::uint32_t>(use) << 4 | std::uint32_t{has_level} << 8 |
               std::uint32_t{channel} << 12;
    }
    static ReadKind unpack(std::uint32_t extra) noexcept {
        return {static_cast<Geometry>(extra & 15), static_cast<SampleUse>(extra >> 4 & 15), (extra >> 8 & 1) != 0,
                static_cast<std::uint8_t>(extra >> 12)};
    }
};

[[noreturn]] void fail_read(const char* problem, unsigned lane) {
    throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                std::string("the simulation cannot read the texture in this way: it ") + problem, static_cast<int>(lane)};
}

/// Reads the operands of a thread.
struct Operands {
    const Warp& warp;
    const Instruction* instruction;
    unsigned lane;

    template <class Value>
    Value at(unsigned operand) const noexcept {
        return warp.from<Value>(slot_of(instruction, operand))[lane];
    }
};

Texel read(const Texture& texture, ReadKind kind, const Operands& operands) {
    unsigned next = first_coordinate;
    const unsigned end = first_coordinate + coordinates_of(kind.geometry);
    const std::uint32_t layer = is_layered(kind.geometry) ? operands.at<std::uint32_t>(next++) : 0;
    if (kind.use == SampleUse::fetch) {
        FetchPoint point{layer, {}};
        for (unsigned i = 0; i < 3 && next < end; ++i) point.position[i] = operands.at<std::int32_t>(next++);
        Texel texel;
        if (!fetch(texture, point, texel)) fail_read("has no texel with the integer coordinates", operands.lane);
        return texel;
    }
    SamplePoint point{layer, {}, 0};
    for (unsigned i = 0; i < 3 && next < end; ++i) point.position[i] = operands.at<float>(next++);
    if (kind.has_level) point.level = operands.at<float>(end);
    return kind.use == SampleUse::gather ? gather(texture, point, kind.channel) : sample(texture, point);
}

const Instruction* read_texture(Warp& warp, const Instruction* instruction) {
    const ReadKind kind = ReadKind::unpack(instruction->extra);
    ObjectFinder finder(warp, &TextureSource::find_texture);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Operands operands{warp, instruction, lane};
        bool is_new = false;
        const Texture& texture = finder.find(operands.at<std::uint64_t>(handle_operand), lane, is_new);
        if (is_new) {
            const char* const problem = problem_of(texture, kind.geometry, kind.use);
            if (problem != nullptr) fail_read(problem, lane);
            check_memory(texture, lane);
        }
        const Texel texel = read(texture, kind, operands);
        for (unsigned channel = 0; channel < 4; ++channel) {
            const std::uint32_t slot = instruction->slots[channel];
            if (slot != no_slot) warp.to<std::uint32_t>(slot)[lane] = texel[channel];
        }
    }
    return instruction + 1;
}

unsigned gradients_of(Geometry geometry) noexcept {
    switch (geometry) {
        case Geometry::line:
        case Geometry::layered_line:
            return 1;
        case Geometry::plane:
        case Geometry::layered_plane:
            return 2;
        default:
            return 4;
    }
}

Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    ReadKind kind;
    kind.geometry = geometry_of(modifiers);
    unsigned operands = first_coordinate + coordinates_of(kind.geometry);
    if (modifiers.has(".level")) {
        kind.has_level = true;
        ++operands;
    } else if (modifiers.has(".grad")) {
        kind.use = SampleUse::gradient;
        operands += 2 * gradients_of(kind.geometry);
    } else if (modifiers.type() == ".s32") {
        kind.use = SampleUse::fetch;
    }
    if (choice.slots != operands) return nullptr;
    for (unsigned i = 0; i < 4; ++i) {
        if (choice.bytes[i] != 0 && choice.bytes[i] != 4) return nullptr;
    }
    choice.extra = kind.pack();
    return read_texture;
}

Handler select_gather(Choice& choice) {
    const std::string_view channel = choice.modifiers.one_of({".r", ".g", ".b", ".a"});
    ReadKind kind;
    kind.geometry = geometry_of(choice.modifiers);
    kind.use = SampleUse::gather;
    kind.channel = channel == ".r" ? 0 : channel == ".g" ? 1 : channel == ".b" ? 2 : 3;
    if (choice.slots != first_coordinate + coordinates_of(kind.geometry)) return nullptr;
    for (unsigned i = 0; i < 4; ++i) {
        if (choice.bytes[i] != 0 && choice.bytes[i] != 4) return nullptr;
    }
    choice.extra = kind.pack();
    return read_texture;
}

#define CUBIND_RESULT ".v4 .f32|.s32|.u32 "

constexpr Form forms[] = {
    {"tex", "[.base] .1d|.2d|.3d|.a1d|.a2d " CUBIND_RESULT ".f32|.s32", "=v [t]", select},
    {"tex", "[.base] .cube|.acube " CUBIND_RESULT ".f32", "=v [t]", select},
    {"tex", ".level .1d|.2d|.3d|.a1d|.a2d|.cube|.acube " CUBIND_RESULT ".f32", "=v [t] t", select},
    {"tex", ".grad .1d|.2d|.3d|.a1d|.a2d|.cube|.acube " CUBIND_RESULT ".f32", "=v [t] {t} {t}", select},
    {"tld4", ".r|.g|.b|.a .2d|.a2d " CUBIND_RESULT ".f32", "=v [t]", select_gather},
};

}  // namespace

Geometry geometry_of(const Modifiers& modifiers) noexcept {
    if (modifiers.has(".1d")) return Geometry::line;
    if (modifiers.has(".2d")) return Geometry::plane;
    if (modifiers.has(".3d")) return Geometry::volume;
    if (modifiers.has(".a1d")) return Geometry::layered_line;
    if (modifiers.has(".a2d")) return Geometry::layered_plane;
    return modifiers.has(".cube") ? Geometry::cube : Geometry::layered_cube;
}

void check_memory(const Texture& object, unsigned lane) {
    if (object.has_memory) return;
    throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS,
                "the array has no memory: map memory to it with cuMemMapArrayAsync() before the launch", static_cast<int>(lane)};
}

const Texture& ObjectFinder::find(std::uint64_t handle, unsigned lane, bool& is_new) {
    is_new = object_ == nullptr || handle != handle_;
    if (!is_new) return *object_;
    object_ = source_ != nullptr ? (source_->*find_)(handle) : nullptr;
    handle_ = handle;
    if (object_ != nullptr) return *object_;
    char text[100];
    std::snprintf(text, sizeof text, "0x%llx is not the handle of a %s object", static_cast<unsigned long long>(handle),
                  find_ == &TextureSource::find_texture ? "texture" : "surface");
    throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, text, static_cast<int>(lane)};
}

Forms texture_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
