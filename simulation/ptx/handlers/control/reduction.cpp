// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions over the threads of a warp.
#include <bit>

#include "ptx/handlers/control/control.hpp"
#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

using Operation = std::uint32_t (*)(std::uint32_t, std::uint32_t);

std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return a + b;
}
std::uint32_t bit_and(std::uint32_t a, std::uint32_t b) {
    return a & b;
}
std::uint32_t bit_or(std::uint32_t a, std::uint32_t b) {
    return a | b;
}
std::uint32_t bit_xor(std::uint32_t a, std::uint32_t b) {
    return a ^ b;
}
template <class Type>
std::uint32_t least(std::uint32_t a, std::uint32_t b) {
    return static_cast<Type>(b) < static_cast<Type>(a) ? b : a;
}
template <class Type>
std::uint32_t greatest(std::uint32_t a, std::uint32_t b) {
    return static_cast<Type>(a) < static_cast<Type>(b) ? b : a;
}

constexpr std::uint32_t sign = std::uint32_t{1} << 31;
constexpr std::uint32_t infinity = 0x7f800000;
constexpr std::uint32_t canonical_nan = 0x7fffffff;

bool is_nan(std::uint32_t bits) {
    return (bits & ~sign) > infinity;
}
// Maps floats to integers of the same order, with -0 below +0.
std::uint32_t order_of(std::uint32_t bits) {
    return (bits & sign) != 0 ? ~bits : bits | sign;
}
template <bool is_greatest, bool keeps_nan>
std::uint32_t extreme(std::uint32_t a, std::uint32_t b) {
    if (is_nan(a)) return keeps_nan || is_nan(b) ? canonical_nan : b;
    if (is_nan(b)) return keeps_nan ? canonical_nan : a;
    return (order_of(b) < order_of(a)) != is_greatest ? b : a;
}

// Slots: result, value, threads. The result may replace the value.
template <Operation operation, bool is_absolute, bool is_float>
void reduce(Warp& warp, const Instruction& instruction) {
    std::uint32_t values[warp_size];
    const std::uint32_t* const from = warp.from<std::uint32_t>(instruction.slots[1]);
    const std::uint32_t* const members = warp.from<std::uint32_t>(instruction.slots[2]);
    std::uint32_t* const to = warp.to<std::uint32_t>(instruction.slots[0]);
    for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = is_absolute ? from[lane] & ~sign : from[lane];
    std::uint32_t done = 0;
    for (std::uint32_t rest = warp.mask; rest != 0; rest = warp.mask & ~done) {
        const std::uint32_t named = members[std::countr_zero(rest)];
        std::uint32_t lanes = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) lanes |= std::uint32_t{members[lane] == named} << lane;
        lanes &= rest;
        std::uint32_t group = named & warp.mask;
        if (group == 0) group = lanes;
        std::uint32_t result = values[std::countr_zero(group)];
        if (is_float && is_nan(result)) result = canonical_nan;
        for (std::uint32_t others = group & (group - 1); others != 0; others &= others - 1) {
            result = operation(result, values[std::countr_zero(others)]);
        }
        done |= lanes;
        for (; lanes != 0 && instruction.slots[0] != no_slot; lanes &= lanes - 1) to[std::countr_zero(lanes)] = result;
    }
}

template <Operation operation, bool is_absolute = false, bool is_float = false>
constexpr Collective collective{reduce<operation, is_absolute, is_float>, 2, 1, {4, 4, 4, -1, -1, -1, -1, -1}};

template <Operation operation, bool is_absolute = false, bool is_float = false>
const Instruction* run(Warp& warp, const Instruction* instruction) {
    return warp.run_together(collective<operation, is_absolute, is_float>, instruction);
}

template <Operation operation>
Handler select_absolute(const Modifiers& modifiers) {
    return modifiers.has(".abs") ? run<operation, true, true> : run<operation, false, true>;
}

Handler select_float(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const bool keeps_nan = modifiers.has(".NaN");
    if (modifiers.has(".min")) {
        return keeps_nan ? select_absolute<extreme<false, true>>(modifiers) : select_absolute<extreme<false, false>>(modifiers);
    }
    return keeps_nan ? select_absolute<extreme<true, true>>(modifiers) : select_absolute<extreme<true, false>>(modifiers);
}

Handler select_integer(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const bool is_signed = modifiers.type() == ".s32";
    if (modifiers.has(".add")) return run<add>;
    if (modifiers.has(".min")) return is_signed ? run<least<std::int32_t>> : run<least<std::uint32_t>>;
    if (modifiers.has(".max")) return is_signed ? run<greatest<std::int32_t>> : run<greatest<std::uint32_t>>;
    if (modifiers.has(".and")) return run<bit_and>;
    if (modifiers.has(".or")) return run<bit_or>;
    return run<bit_xor>;
}

// PTX allows reductions of floats for variants of compute capability 10.0 only. Earlier targets reject them.
constexpr Form forms[] = {
    {"redux", ".sync .add|.min|.max .u32|.s32", "=t t b32", select_integer, Flow::converged, 7000, 80},
    {"redux", ".sync .and|.or|.xor .b32", "=t t b32", select_integer, Flow::converged, 7000, 80},
    {"redux", ".sync .min|.max [.abs] [.NaN] .f32", "=t t b32", select_float, Flow::converged, 8060, 100},
};

}  // namespace

Forms reduction_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
