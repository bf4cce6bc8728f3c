// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/float/convert.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/handlers/float/rounded.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// A numeric type.
struct NumberType {
    std::string_view name;
    std::uint8_t bits;
    enum class Kind : std::uint8_t { unsigned_integer, signed_integer, floating } kind;
    FloatFormat format;
};
constexpr auto is_unsigned = NumberType::Kind::unsigned_integer;
constexpr auto is_signed = NumberType::Kind::signed_integer;
constexpr auto is_floating = NumberType::Kind::floating;

constexpr NumberType number_types[] = {
    {".u8", 8, is_unsigned, {}},
    {".s8", 8, is_signed, {}},
    {".u16", 16, is_unsigned, {}},
    {".s16", 16, is_signed, {}},
    {".u32", 32, is_unsigned, {}},
    {".s32", 32, is_signed, {}},
    {".u64", 64, is_unsigned, {}},
    {".s64", 64, is_signed, {}},
    {".f16", 16, is_floating, half_format},
    {".bf16", 16, is_floating, bfloat_format},
    {".f32", 32, is_floating, single_format},
    {".f64", 64, is_floating, double_format},
    {".tf32", 32, is_floating, tf32_format},
};

/// A conversion, as stored in Instruction::extra.
struct Plan {
    const NumberType* to = nullptr;
    const NumberType* from = nullptr;
    Rounding rounding = Rounding::nearest_even;
    bool flushes = false;
    bool saturates = false;
    bool is_finite = false;
    bool is_relu = false;
    bool is_whole = false;      ///< whether the result is a whole number of the same type
    std::uint8_t to_bytes = 0;  ///< of the register
    std::uint8_t from_bytes = 0;

    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(to - number_types) | static_cast<std::uint32_t>(from - number_types) << 4 |
               static_cast<std::uint32_t>(rounding) << 8 | std::uint32_t{flushes} << 12 | std::uint32_t{saturates} << 13 |
               std::uint32_t{is_finite} << 14 | std::uint32_t{is_relu} << 15 | std::uint32_t{is_whole} << 16 |
               std::uint32_t{to_bytes} << 20 | std::uint32_t{from_bytes} << 24;
    }
    static Plan unpack(std::uint32_t extra) noexcept {
        const auto flag = [extra](unsigned bit) { return (extra >> bit & 1) != 0; };
        return {&number_types[extra & 15],
                &number_types[extra >> 4 & 15],
                static_cast<Rounding>(extra >> 8 & 15),
                flag(12),
                flag(13),
                flag(14),
                flag(15),
                flag(16),
                static_cast<std::uint8_t>(extra >> 20 & 15),
                static_cast<std::uint8_t>(extra >> 24 & 15)};
    }
};

constexpr std::uint64_t low_bits(unsigned count) noexcept {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::uint64_t extend(std::uint64_t value, const NumberType& type) {
    value &= low_bits(type.bits);
    const bool is_negative = type.kind == is_signed && (value >> (type.bits - 1) & 1) != 0;
    return is_negative ? value | ~low_bits(type.bits) : value;
}

// Converts a NaN. Conversions from or to double keep its sign and payload. Other types have only one NaN each.
std::uint64_t convert_nan(std::uint64_t bits, const Plan& plan) {
    if (plan.to->kind != is_floating) {
        const std::uint64_t highest = std::uint64_t{1} << (plan.to->bits - 1);
        return plan.from->bits == 64 || plan.to->bits == 64 ? highest : 0;
    }
    if (plan.saturates) return 0;
    const auto payload = [&](FloatFormat to) {
        const FloatFormat from = plan.from->format;
        const std::uint64_t fraction = bits & low_bits(static_cast<unsigned>(from.fraction_bits()));
        const int shift = to.fraction_bits() - from.fraction_bits();
        const std::uint64_t moved = shift >= 0 ? fraction << shift : fraction >> -shift;
        return ((bits & from.sign()) != 0 ? to.sign() : 0) | to.infinity() | moved | std::uint64_t{1} << (to.fraction_bits() - 1);
    };
    if (plan.to->bits == 64) {
        if (plan.flushes) bits = 0x7fffffff;  // the NaN of float: flushing is arithmetic, and precedes the conversion
        return payload(double_format);
    }
    if (plan.from->bits == 64) return payload(plan.to->format);
    if (plan.to->bits == 16) return 0x7fff;
    return plan.to->name == ".tf32" ? 0x7fffe000 : 0x7fffffff;
}

// Rounds to a tf32 with ties away from zero like the integer instructions that the GPU uses.
std::uint32_t convert_to_tf32_away(std::uint32_t bits, bool is_finite) {
    constexpr std::uint32_t infinity = 0x7f800000;
    constexpr std::uint32_t kept = 0xffffe000;
    if ((bits & 0x7fffffff) < infinity) bits += 0x1000;
    bits &= kept;
    return is_finite && (bits & 0x7fffffff) >= infinity ? bits + kept : bits;
}

std::uint64_t convert_float(std::uint64_t bits, const Plan& plan) {
    const NumberType& to = *plan.to;
    if (plan.rounding == Rounding::nearest_away) return convert_to_tf32_away(static_cast<std::uint32_t>(bits), plan.is_finite);
    const bool changes = plan.flushes || plan.saturates || plan.is_whole;
    if (!changes && to.name == plan.from->name && to.bits >= 32) return bits;  // a move
    if (!plan.flushes && to.name == ".f32" && plan.from->name == ".bf16") return bits << 16;
    // Conversions to f16 do not flush: the subnormal numbers of float are too small for it.
    const bool flushes = plan.flushes && plan.from->bits == 32 && to.name != ".f16";
    ExactNumber value = exact_from_bits(bits, plan.from->format, flushes);
    if (value.is_nan()) return convert_nan(bits, plan);
    if (to.kind != is_floating) return round_to_integer(value, to.bits, to.kind == is_signed, plan.rounding);
    if (plan.is_whole) value = round_to_whole(value, plan.rounding);
    if (plan.is_relu && value.is_negative) return 0;
    const bool flushes_result = plan.flushes && to.name == ".f32";
    const std::uint64_t result = round_to_bits(value, to.format, plan.rounding, flushes_result, plan.is_finite);
    if (plan.saturates) {
        const std::uint64_t one = static_cast<std::uint64_t>(-to.format.min_exponent + 1) << to.format.fraction_bits();
        return value.is_negative ? 0 : std::min(result, one);
    }
    return to.bits == 32 && to.format.bits != 32 ? result << 13 : result;
}

std::uint64_t convert_integer(std::uint64_t bits, const Plan& plan) {
    const NumberType& to = *plan.to;
    const std::uint64_t value = extend(bits, *plan.from);
    const bool is_negative = plan.from->kind == is_signed && value >> 63 != 0;
    const ExactNumber exact = exact_from_integer(is_negative ? ~value + 1 : value, is_negative);
    if (to.kind == is_floating) {
        const std::uint64_t result = round_to_bits(exact, to.format, plan.rounding, false);
        if (!plan.saturates) return result;
        const std::uint64_t one = static_cast<std::uint64_t>(-to.format.min_exponent + 1) << to.format.fraction_bits();
        return is_negative ? 0 : std::min(result, one);
    }
    return plan.saturates ? round_to_integer(exact, to.bits, to.kind == is_signed, plan.rounding) : value;
}

const Instruction* run_conversion(Warp& warp, const Instruction* instruction) {
    const Plan plan = Plan::unpack(instruction->extra);
    auto* const to = warp.to<std::byte>(instruction->slots[0]);
    const auto* const from = warp.from<std::byte>(instruction->slots[1]);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        std::uint64_t bits = 0;
        std::memcpy(&bits, from + lane * plan.from_bytes, plan.from_bytes);
        bits &= low_bits(plan.from->bits);
        bits = plan.from->kind == is_floating ? convert_float(bits, plan) : convert_integer(bits, plan);
        bits = extend(bits, *plan.to);
        std::memcpy(to + lane * plan.to_bytes, &bits, plan.to_bytes);
    }
    return instruction + 1;
}

}  // namespace

Handler select_conversion(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    Plan plan;
    for (const NumberType& each : number_types) {
        if (each.name == modifiers.type(1)) plan.to = &each;
        if (each.name == modifiers.type()) plan.from = &each;
    }
    if (plan.to == nullptr || plan.from == nullptr) return nullptr;
    plan.rounding = rounding_of(modifiers);
    plan.flushes = modifiers.has(".ftz");
    plan.saturates = modifiers.has(".sat");
    plan.is_finite = modifiers.has(".satfinite");
    plan.is_relu = modifiers.has(".relu");
    plan.is_whole = plan.to->kind == is_floating && !modifiers.one_of({".rni", ".rzi", ".rmi", ".rpi"}).empty();
    plan.to_bytes = choice.bytes[0];
    plan.from_bytes = choice.bytes[1];
    choice.extra = plan.pack();
    return run_conversion;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
