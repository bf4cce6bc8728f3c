// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of integers.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
bool is_equal(Type a, Type b) {
    return a == b;
}
template <class Type>
bool is_less(Type a, Type b) {
    return a < b;
}
template <class Type>
bool is_less_or_equal(Type a, Type b) {
    return a <= b;
}

/// How an instruction combines the result of a comparison with a predicate.
enum class Combination : std::uint32_t { none, conjunction, disjunction, exclusion };

Combination combination_of(const Modifiers& modifiers) {
    if (modifiers.has(".and")) return Combination::conjunction;
    if (modifiers.has(".or")) return Combination::disjunction;
    if (modifiers.has(".xor")) return Combination::exclusion;
    return Combination::none;
}

std::uint32_t combine(const Warp& warp, const Instruction* instruction, std::uint32_t slot, std::uint32_t bits) {
    switch (static_cast<Combination>(instruction->extra)) {
        case Combination::conjunction:
            return bits & warp.predicate(slot);
        case Combination::disjunction:
            return bits | warp.predicate(slot);
        case Combination::exclusion:
            return bits ^ warp.predicate(slot);
        default:
            return bits;
    }
}

template <class Type, bool (*function)(Type, Type), bool is_negated, bool is_swapped>
struct Comparison {
    static std::uint32_t test(const Warp& warp, std::uint32_t first, std::uint32_t second) {
        const std::uint32_t bits = test_lanes(
            warp, [](Type a, Type b) { return function(a, b); }, warp.from<Type>(is_swapped ? second : first),
            warp.from<Type>(is_swapped ? first : second));
        return is_negated ? ~bits : bits;
    }
};

/// Writes the result of a comparison to a predicate, and the result of the opposite comparison to a second one.
struct ToPredicates {
    template <class Compare>
    static const Instruction* run(Warp& warp, const Instruction* instruction) {
        const std::uint32_t* const slots = instruction->slots;
        const std::uint32_t bits = Compare::test(warp, slots[2], slots[3]);
        const std::uint32_t first = combine(warp, instruction, slots[4], bits);
        const std::uint32_t second = combine(warp, instruction, slots[4], ~bits);
        if (slots[0] != no_slot) warp.set_predicate(slots[0], first);
        if (slots[1] != no_slot) warp.set_predicate(slots[1], second);
        return instruction + 1;
    }
};

/// Writes these bits if the result of a comparison is true, otherwise 0.
template <std::uint32_t true_bits>
struct ToRegister {
    template <class Compare>
    static const Instruction* run(Warp& warp, const Instruction* instruction) {
        const std::uint32_t* const slots = instruction->slots;
        const std::uint32_t bits = combine(warp, instruction, slots[3], Compare::test(warp, slots[1], slots[2]));
        write_lanes(
            warp, warp.to<std::uint32_t>(slots[0]), [bits](std::uint32_t bit) { return (bits & bit) != 0 ? true_bits : 0u; },
            lane_bits);
        return instruction + 1;
    }
};

template <class Destination, class Type>
Handler select_for(const Modifiers& modifiers) {
    using Unsigned = std::make_unsigned_t<Type>;
    if (modifiers.has(".eq")) return Destination::template run<Comparison<Unsigned, is_equal<Unsigned>, false, false>>;
    if (modifiers.has(".ne")) return Destination::template run<Comparison<Unsigned, is_equal<Unsigned>, true, false>>;
    if (modifiers.has(".lt") || modifiers.has(".lo"))
        return Destination::template run<Comparison<Type, is_less<Type>, false, false>>;
    if (modifiers.has(".gt") || modifiers.has(".hi"))
        return Destination::template run<Comparison<Type, is_less<Type>, false, true>>;
    if (modifiers.has(".le") || modifiers.has(".ls"))
        return Destination::template run<Comparison<Type, is_less_or_equal<Type>, false, false>>;
    return Destination::template run<Comparison<Type, is_less_or_equal<Type>, false, true>>;
}

template <class Destination>
Handler select_destination(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    choice.extra = static_cast<std::uint32_t>(combination_of(modifiers));
    const std::string_view type = modifiers.type();
    if (is_type<std::uint16_t>(type)) return select_for<Destination, std::uint16_t>(modifiers);
    if (is_type<std::int16_t>(type)) return select_for<Destination, std::int16_t>(modifiers);
    if (is_type<std::uint32_t>(type)) return select_for<Destination, std::uint32_t>(modifiers);
    if (is_type<std::int32_t>(type)) return select_for<Destination, std::int32_t>(modifiers);
    if (is_type<std::uint64_t>(type)) return select_for<Destination, std::uint64_t>(modifiers);
    if (is_type<std::int64_t>(type)) return select_for<Destination, std::int64_t>(modifiers);
    return nullptr;
}

Handler select_set(Choice& choice) {
    constexpr std::uint32_t one = 0x3f800000;  // as a float
    if (choice.modifiers.type(1) == ".f32") return select_destination<ToRegister<one>>(choice);
    return select_destination<ToRegister<~std::uint32_t{0}>>(choice);
}

constexpr Handler (*select_setp)(Choice&) = select_destination<ToPredicates>;

#define CUBIND_UNTYPED ".eq|.ne"
#define CUBIND_SIGNED CUBIND_UNTYPED "|.lt|.le|.gt|.ge"
#define CUBIND_UNSIGNED CUBIND_SIGNED "|.lo|.ls|.hi|.hs"
#define CUBIND_COMBINATION " .and|.or|.xor"
#define CUBIND_RESULT " .u32|.s32|.f32"

constexpr Form forms[] = {
    {"setp", CUBIND_UNTYPED " .b16|.b32|.b64", "=p|p t t", select_setp},
    {"setp", CUBIND_SIGNED " .s16|.s32|.s64", "=p|p t t", select_setp},
    {"setp", CUBIND_UNSIGNED " .u16|.u32|.u64", "=p|p t t", select_setp},
    {"setp", CUBIND_UNTYPED CUBIND_COMBINATION " .b16|.b32|.b64", "=p|p t t p", select_setp},
    {"setp", CUBIND_SIGNED CUBIND_COMBINATION " .s16|.s32|.s64", "=p|p t t p", select_setp},
    {"setp", CUBIND_UNSIGNED CUBIND_COMBINATION " .u16|.u32|.u64", "=p|p t t p", select_setp},
    {"set", CUBIND_UNTYPED CUBIND_RESULT " .b16|.b32|.b64", "=s t t", select_set},
    {"set", CUBIND_SIGNED CUBIND_RESULT " .s16|.s32|.s64", "=s t t", select_set},
    {"set", CUBIND_UNSIGNED CUBIND_RESULT " .u16|.u32|.u64", "=s t t", select_set},
    {"set", CUBIND_UNTYPED CUBIND_COMBINATION CUBIND_RESULT " .b16|.b32|.b64", "=s t t p", select_set},
    {"set", CUBIND_SIGNED CUBIND_COMBINATION CUBIND_RESULT " .s16|.s32|.s64", "=s t t p", select_set},
    {"set", CUBIND_UNSIGNED CUBIND_COMBINATION CUBIND_RESULT " .u16|.u32|.u64", "=s t t p", select_set},
};

}  // namespace

Forms comparison_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
