// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves between registers, and between a register and several that are its parts.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// A value of 128 bits.
struct Quad {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

template <class Type>
Type copy(Type value) {
    return value;
}

const Instruction* copy_predicate(Warp& warp, const Instruction* instruction) {
    warp.set_predicate(instruction->slots[0], warp.predicate(instruction->slots[1]));
    return instruction + 1;
}

/// Copies several registers, which may be the destinations, too.
template <class Type, unsigned length>
const Instruction* copy_all(Warp& warp, const Instruction* instruction) {
    Type values[length][warp_size];
    for (unsigned i = 0; i < length; ++i) {
        const Type* const from = warp.from<Type>(instruction->slots[length + i]);
        CUBIND_FOR_LANES(lane) values[i][lane] = from[lane];
    }
    for (unsigned i = 0; i < length; ++i) {
        if (instruction->slots[i] == no_slot) continue;
        write_lanes(warp, warp.to<Type>(instruction->slots[i]), copy<Type>, values[i]);
    }
    return instruction + 1;
}

// Parts are in the order of their bits, the lowest first.
template <class Whole>
inline std::uint64_t part_of(const Whole& whole, unsigned bit) {
    return std::uint64_t{whole} >> bit;
}
template <>
inline std::uint64_t part_of(const Quad& whole, unsigned bit) {
    return bit < 64 ? whole.low >> bit : whole.high >> (bit - 64);
}
template <class Whole>
inline Whole add_part(const Whole& whole, std::uint64_t part, unsigned bit) {
    return static_cast<Whole>(whole | part << bit);
}
template <>
inline Quad add_part(const Quad& whole, std::uint64_t part, unsigned bit) {
    return bit < 64 ? Quad{whole.low | part << bit, whole.high} : Quad{whole.low, whole.high | part << (bit - 64)};
}

// Registers of 8 bits have slots of 16 bits.
template <class Part>
using PartSlot = std::conditional_t<sizeof(Part) == 1, std::uint16_t, Part>;

template <class Whole, class Part>
const Instruction* unpack(Warp& warp, const Instruction* instruction) {
    constexpr unsigned length = sizeof(Whole) / sizeof(Part);
    // With parts of 8 bits, the whole may be one of the destinations.
    Whole whole[warp_size];
    const Whole* const from = warp.from<Whole>(instruction->slots[length]);
    CUBIND_FOR_LANES(lane) whole[lane] = from[lane];
    for (unsigned i = 0; i < length; ++i) {
        if (instruction->slots[i] == no_slot) continue;
        const unsigned bit = i * width_of<Part>;
        write_lanes(
            warp, warp.to<PartSlot<Part>>(instruction->slots[i]),
            [bit](const Whole& value) { return static_cast<PartSlot<Part>>(static_cast<Part>(part_of(value, bit))); }, whole);
    }
    return instruction + 1;
}

template <class Whole, class Part>
const Instruction* pack(Warp& warp, const Instruction* instruction) {
    constexpr unsigned length = sizeof(Whole) / sizeof(Part);
    Whole whole[warp_size] = {};
    for (unsigned i = 0; i < length; ++i) {
        const PartSlot<Part>* const from = warp.from<PartSlot<Part>>(instruction->slots[1 + i]);
        CUBIND_FOR_LANES(lane) whole[lane] = add_part(whole[lane], static_cast<Part>(from[lane]), i * width_of<Part>);
    }
    write_lanes(warp, warp.to<Whole>(instruction->slots[0]), copy<Whole>, whole);
    return instruction + 1;
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
        case 16:
            return Compute<copy<Quad>>::run;
        default:
            return nullptr;
    }
}

template <class Type>
Handler select_copy_of(const Choice& choice) {
    const unsigned length = choice.modifiers.vector_length();
    for (unsigned i = 0; i < choice.slots; ++i) {
        if (choice.bytes[i] != sizeof(Type)) return nullptr;
    }
    return length == 2 ? copy_all<Type, 2> : length == 4 ? copy_all<Type, 4> : nullptr;
}
Handler select_vector_move(Choice& choice) {
    switch (bytes_of_type(choice.modifiers.type())) {
        case 2:
            return select_copy_of<std::uint16_t>(choice);
        case 4:
            return select_copy_of<std::uint32_t>(choice);
        case 8:
            return select_copy_of<std::uint64_t>(choice);
        default:
            return nullptr;
    }
}

template <class Whole, class Part>
struct Pack {
    static constexpr Handler handler = pack<Whole, Part>;
};
template <class Whole, class Part>
struct Unpack {
    static constexpr Handler handler = unpack<Whole, Part>;
};

template <template <class, class> class Make>
Handler select_parts(Choice& choice) {
    const unsigned length = choice.slots - 1;
    switch (bytes_of_type(choice.modifiers.type())) {
        case 2:
            return length == 2 ? Make<std::uint16_t, std::uint8_t>::handler : nullptr;
        case 4:
            return length == 2 ? Make<std::uint32_t, std::uint16_t>::handler : Make<std::uint32_t, std::uint8_t>::handler;
        case 8:
            return length == 2 ? Make<std::uint64_t, std::uint32_t>::handler : Make<std::uint64_t, std::uint16_t>::handler;
        case 16:
            return length == 2 ? Make<Quad, std::uint64_t>::handler : Make<Quad, std::uint32_t>::handler;
        default:
            return nullptr;
    }
}

#define CUBIND_TYPES ".b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64"

constexpr Form forms[] = {
    {"mov", ".b16|.b32|.b64", "=e t", select_parts<Unpack>},
    {"mov", ".b16|.b32|.b64", "=t e", select_parts<Pack>},
    {"mov", ".b128", "=e t", select_parts<Unpack>, Flow::none, 8030, 70},
    {"mov", ".b128", "=t e", select_parts<Pack>, Flow::none, 8030, 70},
    {"mov", ".pred", "=p p", select_move},
    {"mov", CUBIND_TYPES, "=t t", select_move},
    {"mov", ".b128", "=t t", select_move, Flow::none, 8030, 70},
    {"mov", ".v2|.v4 " CUBIND_TYPES, "=v v", select_vector_move},
};

}  // namespace

Forms move_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
