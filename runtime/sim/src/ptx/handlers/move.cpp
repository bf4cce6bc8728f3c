// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves, conversions of addresses, and selection.
#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
Type copy(Type value) {
    return value;
}

const Instruction* copy_predicate(Warp& warp, const Instruction* instruction) {
    warp.set_predicate(instruction->slots[0], warp.predicate(instruction->slots[1]));
    return instruction + 1;
}

template <class Type>
Type select_value(Type first, Type second, bool is_first) {
    return is_first ? first : second;
}

template <Window window>
std::uint64_t to_generic(std::uint64_t address) {
    return (address & window_mask) | window_base(window);
}

std::uint64_t from_generic(std::uint64_t address) {
    return address & window_mask;
}

Handler select_move(Choice& choice) {
    switch (choice.bytes[0]) {
        case 0:
            return copy_predicate;
        case 2:
            return Compute<copy<std::uint16_t>>::run;
        case 4:
            return Compute<copy<std::uint32_t>>::run;
        case 8:
            return Compute<copy<std::uint64_t>>::run;
        default:
            return nullptr;
    }
}

Handler select_selection(Choice& choice) {
    switch (choice.bytes[0]) {
        case 2:
            return ComputeWithPredicate<select_value<std::uint16_t>>::run;
        case 4:
            return ComputeWithPredicate<select_value<std::uint32_t>>::run;
        case 8:
            return ComputeWithPredicate<select_value<std::uint64_t>>::run;
        default:
            return nullptr;
    }
}

// Generic addresses of global memory, which has the constants, are addresses of global memory.
Handler select_address_conversion(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const bool is_global = !modifiers.one_of({".global", ".const"}).empty();
    if (is_global) return Compute<copy<std::uint64_t>>::run;
    if (modifiers.has(".to")) return Compute<from_generic>::run;
    if (modifiers.has(".local")) return Compute<to_generic<Window::local>>::run;
    if (modifiers.has(".param") || modifiers.has(".param::entry")) return Compute<to_generic<Window::parameter>>::run;
    return Compute<to_generic<Window::shared>>::run;
}

constexpr Form forms[] = {
    {"mov", ".pred", "=p p", select_move},
    {"mov", ".b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64", "=t t", select_move},
    {"selp", ".b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64", "=t t t p", select_selection},
    {"cvta", "[.to] .global|.const|.shared|.shared::cta|.local|.param|.param::entry .u64", "=t t", select_address_conversion},
};

}  // namespace

Forms move_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
