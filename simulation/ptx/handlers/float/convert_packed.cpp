// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "ptx/handlers/float/convert.hpp"
#include "ptx/handlers/float/rounded.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// The elements of a vector.
struct ElementType {
    std::string_view vector;
    FloatFormat format;
    std::uint32_t nan;
};
constexpr ElementType element_types[] = {
    {".f16x2", half_format, 0x7fff}, {".bf16x2", bfloat_format, 0x7fff},  {".e4m3x2", e4m3_format, 0x7f},
    {".e5m2x2", e5m2_format, 0x7f},  {".f32", single_format, 0x7fffffff},
};

// The lowest bits of Instruction::extra. The bits of the types follow.
constexpr std::uint32_t is_relu_flag = 1;
constexpr std::uint32_t is_finite_flag = 2;
constexpr std::uint32_t toward_zero_flag = 4;

std::uint32_t convert_element(std::uint32_t bits, const ElementType& from, const ElementType& to, std::uint32_t flags) {
    const ExactNumber value = exact_from_bits(bits, from.format, false);
    const bool is_nan_of_e4m3 = from.format.precision == e4m3_format.precision && (bits & 0x7f) == 0x7f;
    if (value.is_nan() || is_nan_of_e4m3) return to.nan;
    if (value.is_negative && (flags & is_relu_flag) != 0) return 0;
    const Rounding rounding = (flags & toward_zero_flag) != 0 ? Rounding::toward_zero : Rounding::nearest_even;
    return static_cast<std::uint32_t>(round_to_bits(value, to.format, rounding, false, (flags & is_finite_flag) != 0));
}

// Sources are two floats, the first of which becomes the upper half, or a vector.
const Instruction* run_packed(Warp& warp, const Instruction* instruction) {
    const std::uint32_t flags = instruction->extra;
    const ElementType& to = element_types[flags >> 4 & 15];
    const ElementType& from = element_types[flags >> 8 & 15];
    const auto bits_of_element = static_cast<unsigned>(from.format.bits);
    const std::uint32_t element_mask = bits_of_element == 32 ? 0xffffffff : (1u << bits_of_element) - 1;
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        std::uint32_t high = 0;
        std::uint32_t low = 0;
        if (bits_of_element == 32) {
            high = warp.from<std::uint32_t>(instruction->slots[1])[lane];
            low = warp.from<std::uint32_t>(instruction->slots[2])[lane];
        } else {
            const std::uint32_t both = bits_of_element == 16 ? warp.from<std::uint32_t>(instruction->slots[1])[lane]
                                                             : warp.from<std::uint16_t>(instruction->slots[1])[lane];
            high = both >> bits_of_element;
            low = both & element_mask;
        }
        const std::uint32_t result =
            convert_element(high, from, to, flags) << to.format.bits | convert_element(low, from, to, flags);
        if (to.format.bits == 16) {
            warp.to<std::uint32_t>(instruction->slots[0])[lane] = result;
        } else {
            warp.to<std::uint16_t>(instruction->slots[0])[lane] = static_cast<std::uint16_t>(result);
        }
    }
    return instruction + 1;
}

Handler select_packed(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    choice.extra = (modifiers.has(".relu") ? is_relu_flag : 0) | (modifiers.has(".satfinite") ? is_finite_flag : 0) |
                   (modifiers.has(".rz") ? toward_zero_flag : 0);
    std::uint32_t index = 0;
    for (const ElementType& each : element_types) {
        if (each.vector == modifiers.type(1)) choice.extra |= index << 4;
        if (each.vector == modifiers.type()) choice.extra |= index << 8;
        ++index;
    }
    return run_packed;
}

// Limits two integers to fewer bits and puts them side by side; a third one is shifted to the bits above them.
const Instruction* run_pack(Warp& warp, const Instruction* instruction) {
    const unsigned bits = instruction->extra & 31;
    const bool is_signed = (instruction->extra >> 8 & 1) != 0;
    const std::int32_t highest = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    const std::int32_t lowest = is_signed ? -highest - 1 : 0;
    const std::uint32_t mask = (1u << bits) - 1;
    const auto* const a = warp.from<std::int32_t>(instruction->slots[1]);
    const auto* const b = warp.from<std::int32_t>(instruction->slots[2]);
    const auto* const c = bits < 16 ? warp.from<std::uint32_t>(instruction->slots[3]) : nullptr;
    auto* const to = warp.to<std::uint32_t>(instruction->slots[0]);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const auto high = static_cast<std::uint32_t>(std::clamp(a[lane], lowest, highest)) & mask;
        const auto low = static_cast<std::uint32_t>(std::clamp(b[lane], lowest, highest)) & mask;
        to[lane] = (c != nullptr ? c[lane] << (2 * bits) : 0) | high << bits | low;
    }
    return instruction + 1;
}

Handler select_pack(Choice& choice) {
    struct PackedInteger {
        std::string_view name;
        std::uint32_t bits;
    };
    static constexpr PackedInteger all[] = {{".u2", 2}, {".s2", 2}, {".u4", 4},   {".s4", 4},
                                            {".u8", 8}, {".s8", 8}, {".u16", 16}, {".s16", 16}};
    for (const PackedInteger& each : all) {
        if (choice.modifiers.has(each.name)) choice.extra = each.bits | std::uint32_t{each.name[1] == 's'} << 8;
    }
    return run_pack;
}

// PTX 7.8 has these forms for sm_90 only, PTX 8.1 for sm_89, too.
#define CUBIND_FP8(modifiers, operands)                                  \
    {"cvt", modifiers, operands, select_packed, Flow::none, 7080, 90}, { \
        "cvt", modifiers, operands, select_packed, Flow::none, 8010, 89  \
    }

constexpr Form forms[] = {
    {"cvt", ".rn .relu .f16x2|.bf16x2 .f32", "=s t t", select_packed, Flow::none, 7000, 80},
    {"cvt", ".rz [.relu] .f16x2|.bf16x2 .f32", "=s t t", select_packed, Flow::none, 7000, 80},
    {"cvt", ".rn|.rz .relu .satfinite .f16x2|.bf16x2 .f32", "=s t t", select_packed, Flow::none, 8010, 80},
    {"cvt", ".rn|.rz .satfinite [.relu] .f16x2|.bf16x2 .f32", "=s t t", select_packed, Flow::none, 8010, 80},
    CUBIND_FP8(".rn .relu .satfinite .e4m3x2|.e5m2x2 .f32", "=s t t"),
    CUBIND_FP8(".rn .satfinite [.relu] .e4m3x2|.e5m2x2 .f32", "=s t t"),
    CUBIND_FP8(".rn .relu .satfinite .e4m3x2|.e5m2x2 .f16x2", "=s t"),
    CUBIND_FP8(".rn .satfinite [.relu] .e4m3x2|.e5m2x2 .f16x2", "=s t"),
    CUBIND_FP8(".rn [.relu] .f16x2 .e4m3x2|.e5m2x2", "=s t"),
    {"cvt", ".pack .sat .u16|.s16 .s32", "=b32 b32 b32", select_pack, Flow::none, 6050, 72},
    {"cvt", ".pack .sat .u8|.s8 .s32 .b32", "=b32 b32 b32 b32", select_pack, Flow::none, 6050, 72},
    {"cvt", ".pack .sat .u2|.s2|.u4|.s4 .s32 .b32", "=b32 b32 b32 b32", select_pack, Flow::none, 6050, 75},
};

}  // namespace

Forms packed_conversion_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
