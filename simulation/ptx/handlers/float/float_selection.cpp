// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions on floating-point numbers that compute no new digits: minimum, maximum, absolute value, negation, signs.
#include <type_traits>

#include "ptx/handlers/float/half_bits.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// A format as its bits. A NaN result of minimum, maximum, absolute value and negation has the bits `nan`. A NaN of double has
/// the sign and payload of the last source that is NaN.
template <class Type, Type infinity_bits, Type nan_bits>
struct Format {
    using Bits = Type;
    using Signed = std::make_signed_t<Type>;
    static constexpr Bits infinity = infinity_bits;
    static constexpr Bits nan = nan_bits;
    static constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    static constexpr Bits quiet = static_cast<Bits>(infinity_bits >> 1 & ~infinity_bits);

    static bool is_nan(Bits a) { return (a & static_cast<Bits>(~sign)) > infinity; }
    static Bits flush(Bits a) { return (a & infinity) != 0 ? a : static_cast<Bits>(a & sign); }
    /// Orders numbers like integers: -0 is less than +0.
    static Signed key(Bits a) {
        const auto other = static_cast<Bits>(a ^ static_cast<Bits>(~sign));
        return static_cast<Signed>((a & sign) != 0 ? other : a);
    }
};
using HalfFormat = Format<std::uint16_t, 0x7c00, 0x7fff>;
using BfloatFormat = Format<std::uint16_t, 0x7f80, 0x7fff>;
using SingleFormat = Format<std::uint32_t, 0x7f800000, 0x7fffffff>;
using DoubleFormat = Format<std::uint64_t, std::uint64_t{0x7ff} << 52, 0>;

// The bits of Instruction::extra for a minimum or maximum.
constexpr std::uint32_t flushes_flag = 1;
constexpr std::uint32_t propagates_flag = 2;  // the result is NaN if a source is NaN
constexpr std::uint32_t is_absolute_flag = 4;
constexpr std::uint32_t xors_sign_flag = 8;

template <class F, bool is_maximum>
typename F::Bits choose(typename F::Bits a, typename F::Bits b, std::uint32_t flags) {
    using Bits = typename F::Bits;
    const bool is_less = F::key(a) < F::key(b);
    const Bits number = is_less != is_maximum ? a : b;
    const Bits nan = F::nan != 0 ? F::nan : static_cast<Bits>(b | F::quiet);
    const bool a_is_nan = F::is_nan(a);
    const bool b_is_nan = F::is_nan(b);
    const Bits other = a_is_nan ? (b_is_nan ? nan : b) : (b_is_nan ? a : number);
    return (flags & propagates_flag) != 0 && (a_is_nan || b_is_nan) ? nan : other;
}

template <class F>
typename F::Bits prepare(typename F::Bits a, std::uint32_t flags) {
    using Bits = typename F::Bits;
    const Bits flushed = (flags & flushes_flag) != 0 ? F::flush(a) : a;
    return (flags & is_absolute_flag) != 0 ? static_cast<Bits>(flushed & static_cast<Bits>(~F::sign)) : flushed;
}

template <class F, bool is_maximum>
typename F::Bits extreme(typename F::Bits a, typename F::Bits b, std::uint32_t flags) {
    using Bits = typename F::Bits;
    const Bits result = choose<F, is_maximum>(prepare<F>(a, flags), prepare<F>(b, flags), flags);
    const auto sign = static_cast<Bits>((a ^ b) & F::sign);
    return (flags & xors_sign_flag) != 0 && !F::is_nan(result) ? static_cast<Bits>(result | sign) : result;
}

template <class F, bool is_maximum>
const Instruction* run_extreme(Warp& warp, const Instruction* instruction) {
    using Bits = typename F::Bits;
    const std::uint32_t flags = instruction->extra;
    write_lanes(
        warp, warp.to<Bits>(instruction->slots[0]), [flags](Bits a, Bits b) { return extreme<F, is_maximum>(a, b, flags); },
        warp.from<Bits>(instruction->slots[1]), warp.from<Bits>(instruction->slots[2]));
    return instruction + 1;
}

template <class F, bool is_maximum>
const Instruction* run_extreme_of_pairs(Warp& warp, const Instruction* instruction) {
    using Bits = std::uint32_t;
    using Part = std::uint16_t;
    const std::uint32_t flags = instruction->extra;
    write_lanes(
        warp, warp.to<Bits>(instruction->slots[0]),
        [flags](Bits a, Bits b) {
            const Bits low = extreme<F, is_maximum>(static_cast<Part>(a), static_cast<Part>(b), flags);
            const Bits high = extreme<F, is_maximum>(static_cast<Part>(a >> 16), static_cast<Part>(b >> 16), flags);
            return low | high << 16;
        },
        warp.from<Bits>(instruction->slots[1]), warp.from<Bits>(instruction->slots[2]));
    return instruction + 1;
}

template <bool is_maximum>
const Instruction* run_extreme_of_three(Warp& warp, const Instruction* instruction) {
    using Bits = std::uint32_t;
    const std::uint32_t flags = instruction->extra;
    write_lanes(
        warp, warp.to<Bits>(instruction->slots[0]),
        [flags](Bits a, Bits b, Bits c) {
            const Bits first = extreme<SingleFormat, is_maximum>(a, b, flags);
            return extreme<SingleFormat, is_maximum>(first, c, flags);
        },
        warp.from<Bits>(instruction->slots[1]), warp.from<Bits>(instruction->slots[2]), warp.from<Bits>(instruction->slots[3]));
    return instruction + 1;
}

template <bool is_maximum>
Handler select_extreme(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const std::string_view type = modifiers.type();
    choice.extra = (modifiers.has(".ftz") ? flushes_flag : 0) | (modifiers.has(".NaN") ? propagates_flag : 0) |
                   (modifiers.has(".abs") ? is_absolute_flag : 0) | (modifiers.has(".xorsign") ? xors_sign_flag : 0);
    if (type == ".f32" && choice.slots == 4) return run_extreme_of_three<is_maximum>;
    if (type == ".f32") return run_extreme<SingleFormat, is_maximum>;
    if (type == ".f64") return run_extreme<DoubleFormat, is_maximum>;
    if (type == ".f16") return run_extreme<HalfFormat, is_maximum>;
    if (type == ".bf16") return run_extreme<BfloatFormat, is_maximum>;
    if (type == ".f16x2") return run_extreme_of_pairs<HalfFormat, is_maximum>;
    return run_extreme_of_pairs<BfloatFormat, is_maximum>;
}

// On the GPU, this is a sum with zero: NaN becomes the NaN of the format. A NaN of double only becomes quiet.
template <class F, bool is_negation>
typename F::Bits change_sign(typename F::Bits a) {
    using Bits = typename F::Bits;
    const auto changed = static_cast<Bits>(is_negation ? a ^ F::sign : a & static_cast<Bits>(~F::sign));
    const auto nan = static_cast<Bits>(F::nan != 0 ? F::nan : a | F::quiet);
    return F::is_nan(a) ? nan : changed;
}
template <class F, bool is_negation>
typename F::Bits flush_and_change_sign(typename F::Bits a) {
    return change_sign<F, is_negation>(F::flush(a));
}
template <class F, bool is_negation, bool flushes>
std::uint32_t change_signs(std::uint32_t a) {
    auto low = static_cast<std::uint16_t>(a);
    auto high = static_cast<std::uint16_t>(a >> 16);
    if (flushes) low = F::flush(low), high = F::flush(high);
    return std::uint32_t{change_sign<F, is_negation>(low)} | std::uint32_t{change_sign<F, is_negation>(high)} << 16;
}

template <bool is_negation>
Handler select_sign(Choice& choice) {
    const std::string_view type = choice.modifiers.type();
    const bool flushes = choice.modifiers.has(".ftz");
    if (type == ".f64") return compute_handler<change_sign<DoubleFormat, is_negation>>;
    if (type == ".bf16") return compute_handler<change_sign<BfloatFormat, is_negation>>;
    if (type == ".bf16x2") return compute_handler<change_signs<BfloatFormat, is_negation, false>>;
    if (type == ".f32") {
        return flushes ? compute_handler<flush_and_change_sign<SingleFormat, is_negation>>
                       : compute_handler<change_sign<SingleFormat, is_negation>>;
    }
    if (type == ".f16") {
        return flushes ? compute_handler<flush_and_change_sign<HalfFormat, is_negation>>
                       : compute_handler<change_sign<HalfFormat, is_negation>>;
    }
    return flushes ? compute_handler<change_signs<HalfFormat, is_negation, true>>
                   : compute_handler<change_signs<HalfFormat, is_negation, false>>;
}

template <class F>
typename F::Bits copy_sign(typename F::Bits sign, typename F::Bits magnitude) {
    return (sign & F::sign) | (magnitude & ~F::sign);
}

Handler select_copy_sign(Choice& choice) {
    return choice.modifiers.type() == ".f32" ? compute_handler<copy_sign<SingleFormat>>
                                             : compute_handler<copy_sign<DoubleFormat>>;
}

/// The magnitudes for which a property is true.
template <class Bits>
struct Range {
    Bits first;
    Bits last;
    bool has_zero;
};

template <class F>
Range<typename F::Bits> range_of(std::uint32_t property) {
    constexpr typename F::Bits infinity = F::infinity;
    constexpr typename F::Bits min_normal = infinity & (~infinity + 1);
    switch (property) {
        case 0:  // finite
            return {0, infinity - 1, true};
        case 1:  // infinite
            return {infinity, infinity, false};
        case 2:  // a number
            return {0, infinity, true};
        case 3:  // not a number
            return {infinity + 1, F::sign - 1, false};
        case 4:  // normal, or zero
            return {min_normal, infinity - 1, true};
        default:  // subnormal
            return {1, min_normal - 1, false};
    }
}

template <class F>
const Instruction* test_property(Warp& warp, const Instruction* instruction) {
    using Bits = typename F::Bits;
    const Range<Bits> range = range_of<F>(instruction->extra);
    const std::uint32_t bits = test_lanes(
        warp,
        [range](Bits a) {
            const Bits magnitude = a & ~F::sign;
            return (magnitude >= range.first && magnitude <= range.last) || (range.has_zero && magnitude == 0);
        },
        warp.from<Bits>(instruction->slots[1]));
    if (instruction->slots[0] != no_slot) warp.set_predicate(instruction->slots[0], bits);
    return instruction + 1;
}

Handler select_property(Choice& choice) {
    static constexpr std::string_view properties[] = {".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"};
    for (const std::string_view property : properties) {
        if (choice.modifiers.has(property)) break;
        ++choice.extra;
    }
    return choice.modifiers.type() == ".f32" ? test_property<SingleFormat> : test_property<DoubleFormat>;
}

#define CUBIND_EXTREME(opcode, is_maximum)                                                                                 \
    {opcode, "[.ftz] .f32", "=t t t", select_extreme<is_maximum>}, {opcode, ".f64", "=t t t", select_extreme<is_maximum>}, \
        {opcode, "[.ftz] .NaN .f32", "=t t t", select_extreme<is_maximum>, Flow::none, 7000, 80},                          \
        {opcode, "[.ftz] [.NaN] .xorsign .abs .f32", "=t t t", select_extreme<is_maximum>, Flow::none, 7020, 86},          \
        {opcode, "[.ftz] [.NaN] [.abs] .f32", "=t t t t", select_extreme<is_maximum>, Flow::none, 8080, 100},              \
        {opcode, "[.ftz] [.NaN] .f16|.f16x2", "=t t t", select_extreme<is_maximum>, Flow::none, 7000, 80},                 \
        {opcode, "[.ftz] [.NaN] .xorsign .abs .f16|.f16x2", "=t t t", select_extreme<is_maximum>, Flow::none, 7020, 86},   \
        {opcode, "[.NaN] .bf16|.bf16x2", "=t t t", select_extreme<is_maximum>, Flow::none, 7000, 80}, {                    \
        opcode, "[.NaN] .xorsign .abs .bf16|.bf16x2", "=t t t", select_extreme<is_maximum>, Flow::none, 7020, 86           \
    }

constexpr Form forms[] = {
    CUBIND_EXTREME("min", false),
    CUBIND_EXTREME("max", true),
    {"abs", "[.ftz] .f32", "=t t", select_sign<false>},
    {"abs", ".f64", "=t t", select_sign<false>},
    {"abs", "[.ftz] .f16|.f16x2", "=t t", select_sign<false>, Flow::none, 6050, 53},
    {"abs", ".bf16|.bf16x2", "=t t", select_sign<false>, Flow::none, 7000, 80},
    {"neg", "[.ftz] .f32", "=t t", select_sign<true>},
    {"neg", ".f64", "=t t", select_sign<true>},
    {"neg", "[.ftz] .f16|.f16x2", "=t t", select_sign<true>, Flow::none, 6000, 53},
    {"neg", ".bf16|.bf16x2", "=t t", select_sign<true>, Flow::none, 7000, 80},
    {"copysign", ".f32|.f64", "=t t t", select_copy_sign},
    {"testp", ".finite|.infinite|.number|.notanumber|.normal|.subnormal .f32|.f64", "=p t", select_property},
};

}  // namespace

Forms float_selection_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
