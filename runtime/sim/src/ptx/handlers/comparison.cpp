// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons.
#include "ptx/handlers/lanes.hpp"
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

/// Writes the result of a comparison, or its negation, and the opposite of that to a second predicate.
template <class Type, bool (*compare)(Type, Type), bool is_negated, bool is_swapped>
const Instruction* set_predicate(Warp& warp, const Instruction* instruction) {
    const Type* const a = warp.from<Type>(instruction->slots[is_swapped ? 3 : 2]);
    const Type* const b = warp.from<Type>(instruction->slots[is_swapped ? 2 : 3]);
    std::uint32_t bits = test_lanes(
        warp, [](Type first, Type second) { return compare(first, second); }, a, b);
    if (is_negated) bits = ~bits;
    if (instruction->slots[0] != no_slot) warp.set_predicate(instruction->slots[0], bits);
    if (instruction->slots[1] != no_slot) warp.set_predicate(instruction->slots[1], ~bits);
    return instruction + 1;
}

template <class Type>
Handler select_comparison(const Modifiers& modifiers) {
    if (modifiers.has(".eq")) return set_predicate<Type, is_equal<Type>, false, false>;
    if (modifiers.has(".ne")) return set_predicate<Type, is_equal<Type>, true, false>;
    if (modifiers.has(".lt") || modifiers.has(".lo")) return set_predicate<Type, is_less<Type>, false, false>;
    if (modifiers.has(".gt") || modifiers.has(".hi")) return set_predicate<Type, is_less<Type>, false, true>;
    if (modifiers.has(".le") || modifiers.has(".ls")) return set_predicate<Type, is_less_or_equal<Type>, false, false>;
    if (modifiers.has(".ge") || modifiers.has(".hs")) return set_predicate<Type, is_less_or_equal<Type>, false, true>;
    return nullptr;
}

Handler select_integer_comparison(Choice& choice) {
    const std::string_view type = choice.modifiers.type();
    if (is_type<std::uint16_t>(type)) return select_comparison<std::uint16_t>(choice.modifiers);
    if (is_type<std::int16_t>(type)) return select_comparison<std::int16_t>(choice.modifiers);
    if (is_type<std::uint32_t>(type)) return select_comparison<std::uint32_t>(choice.modifiers);
    if (is_type<std::int32_t>(type)) return select_comparison<std::int32_t>(choice.modifiers);
    if (is_type<std::uint64_t>(type)) return select_comparison<std::uint64_t>(choice.modifiers);
    return select_comparison<std::int64_t>(choice.modifiers);
}

constexpr Form forms[] = {
    {"setp", ".eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs .b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64", "=p|p t t",
     select_integer_comparison},
};

}  // namespace

Forms comparison_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
