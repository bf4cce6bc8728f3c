// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores.
#include <bit>
#include <cstring>

#include "ptx/handlers/access.hpp"
#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// Whether the threads of a full warp access elements that follow one another.
inline bool is_contiguous(const LanePointers& pointers, std::size_t bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(pointers.lane[0]);
    std::uintptr_t difference = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        difference |= reinterpret_cast<std::uintptr_t>(pointers.lane[lane]) ^ (first + lane * bytes);
    }
    return difference == 0;
}

template <class Element>
inline Element read(const std::byte* from) {
    Element element;
    std::memcpy(&element, from, sizeof element);
    return element;
}

/// Loads elements, and extends them to the registers.
template <class Element, class Value>
const Instruction* load(Warp& warp, const Instruction* instruction) {
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    LanePointers pointers;
    find_memory(warp, instruction, kind, instruction->slots[kind.vector_length], kind.vector_length * unsigned{sizeof(Element)},
                pointers);
    for (unsigned item = 0; item < kind.vector_length; ++item) {
        if (instruction->slots[item] == no_slot) continue;
        Value* const to = warp.to<Value>(instruction->slots[item]);
        const std::size_t offset = item * sizeof(Element);
        if (warp.is_full() && kind.vector_length == 1 && is_contiguous(pointers, sizeof(Element))) {
            Element elements[warp_size];
            std::memcpy(elements, pointers.lane[0], sizeof elements);
            CUBIND_FOR_LANES(lane) to[lane] = static_cast<Value>(elements[lane]);
            continue;
        }
        for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            to[lane] = static_cast<Value>(read<Element>(pointers.lane[lane] + offset));
        }
    }
    return instruction + 1;
}

/// Stores the lower bits of registers.
template <class Element, class Value>
const Instruction* store(Warp& warp, const Instruction* instruction) {
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    LanePointers pointers;
    const std::uint32_t* const values = instruction->slots + (kind.pointer_bytes != 0 ? 1 : 0);
    find_memory(warp, instruction, kind, instruction->slots[0], kind.vector_length * unsigned{sizeof(Element)}, pointers);
    for (unsigned item = 0; item < kind.vector_length; ++item) {
        const Value* const from = warp.from<Value>(values[item]);
        const std::size_t offset = item * sizeof(Element);
        if (warp.is_full() && kind.vector_length == 1 && is_contiguous(pointers, sizeof(Element))) {
            Element elements[warp_size];
            CUBIND_FOR_LANES(lane) elements[lane] = static_cast<Element>(from[lane]);
            std::memcpy(pointers.lane[0], elements, sizeof elements);
            continue;
        }
        for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const auto element = static_cast<Element>(from[lane]);
            std::memcpy(pointers.lane[lane] + offset, &element, sizeof element);
        }
    }
    return instruction + 1;
}

template <template <class, class> class Make, class Element>
Handler for_register(unsigned bytes) {
    switch (bytes) {
        case 2:
            return Make<Element, std::uint16_t>::handler;
        case 4:
            return Make<Element, std::uint32_t>::handler;
        case 8:
            return Make<Element, std::uint64_t>::handler;
        default:
            return nullptr;
    }
}

template <class Element, class Value>
struct Load {
    static constexpr Handler handler = sizeof(Element) <= sizeof(Value) ? load<Element, Value> : nullptr;
};
template <class Element, class Value>
struct Store {
    static constexpr Handler handler = sizeof(Element) <= sizeof(Value) ? store<Element, Value> : nullptr;
};

Handler select_load(Choice& choice) {
    choice.extra = AccessKind::of(choice, false).pack();
    const std::string_view type = choice.modifiers.type();
    const unsigned bytes = choice.bytes[0];
    if (type == ".s8") return for_register<Load, std::int8_t>(bytes);
    if (type == ".s16") return for_register<Load, std::int16_t>(bytes);
    if (type == ".s32") return for_register<Load, std::int32_t>(bytes);
    switch (bytes_of_type(type)) {
        case 1:
            return for_register<Load, std::uint8_t>(bytes);
        case 2:
            return for_register<Load, std::uint16_t>(bytes);
        case 4:
            return for_register<Load, std::uint32_t>(bytes);
        case 8:
            return for_register<Load, std::uint64_t>(bytes);
        default:
            return nullptr;
    }
}

Handler select_store(Choice& choice) {
    choice.extra = AccessKind::of(choice, true).pack();
    const unsigned bytes = choice.bytes[choice.pointer_bytes != 0 ? 1 : 0];
    switch (bytes_of_type(choice.modifiers.type())) {
        case 1:
            return for_register<Store, std::uint8_t>(bytes);
        case 2:
            return for_register<Store, std::uint16_t>(bytes);
        case 4:
            return for_register<Store, std::uint32_t>(bytes);
        case 8:
            return for_register<Store, std::uint64_t>(bytes);
        default:
            return nullptr;
    }
}

#define CUBIND_TYPES ".b8|.u8|.s8|.b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64"

constexpr Form forms[] = {
    {"ld",
     "[.weak|.volatile] [.global|.shared|.shared::cta|.local|.param|.param::entry|.param::func|.const] [.nc] "
     "[.v2|.v4] " CUBIND_TYPES,
     "=v m", select_load},
    {"st", "[.weak|.volatile] [.global|.shared|.shared::cta|.local|.param|.param::func] [.v2|.v4] " CUBIND_TYPES, "m v",
     select_store},
};

}  // namespace

Forms memory_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
