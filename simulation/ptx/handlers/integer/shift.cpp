// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Shifts, and permutations of bytes.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

inline std::uint64_t join_words(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32 | low;
}

// A funnel shift moves 64 bits, and returns the half that bits of the other half move into.
template <bool is_wrapped>
std::uint32_t funnel_left(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    const std::uint32_t distance = is_wrapped ? amount & 31 : amount < 32 ? amount : 32;
    return static_cast<std::uint32_t>(join_words(low, high) << distance >> 32);
}
template <bool is_wrapped>
std::uint32_t funnel_right(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    const std::uint32_t distance = is_wrapped ? amount & 31 : amount < 32 ? amount : 32;
    return static_cast<std::uint32_t>(join_words(low, high) >> distance);
}

// Each nibble of the selector chooses one of eight bytes, or eight copies of its sign.
std::uint32_t permute(std::uint32_t low, std::uint32_t high, std::uint32_t selector) {
    const std::uint64_t bytes = join_words(low, high);
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t choice = selector >> (4 * i);
        const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (choice & 7))) & 255;
        const std::uint32_t signs = (0 - (byte >> 7)) & 255;
        result |= ((choice & 8) != 0 ? signs : byte) << (8 * i);
    }
    return result;
}

// The modes derive the selector from its lowest two bits.
std::uint32_t permute_forward(std::uint32_t low, std::uint32_t high, std::uint32_t first) {
    return permute(low, high, 0x3210 + 0x1111 * (first & 3));
}
std::uint32_t permute_backward(std::uint32_t low, std::uint32_t high, std::uint32_t first) {
    return permute(low, high, (0x5670 + 0x1111 * (first & 3)) & 0x7777);
}
std::uint32_t replicate_byte(std::uint32_t low, std::uint32_t, std::uint32_t byte) {
    return 0x01010101 * (low >> (8 * (byte & 3)) & 255);
}
std::uint32_t replicate_half(std::uint32_t low, std::uint32_t, std::uint32_t half) {
    return 0x00010001 * (low >> (16 * (half & 1)) & 0xffff);
}
// Bytes beyond an edge are copies of the byte at the edge: bytes to the right of it in "ecl", to the left of it in "ecr".
std::uint32_t clamp_to_left(std::uint32_t low, std::uint32_t, std::uint32_t edge) {
    const std::uint32_t right = low_mask<std::uint32_t>(8 * (edge & 3));
    return (low & ~right) | (replicate_byte(low, 0, edge) & right);
}
std::uint32_t clamp_to_right(std::uint32_t low, std::uint32_t, std::uint32_t edge) {
    const std::uint32_t right = low_mask<std::uint32_t>(8 * (edge & 3));
    return (low & right) | (replicate_byte(low, 0, edge) & ~right);
}

template <bool is_wrapped>
Handler select_funnel_shift(Choice& choice) {
    if (choice.modifiers.has(".l")) return Compute<funnel_left<is_wrapped>>::run;
    return Compute<funnel_right<is_wrapped>>::run;
}

Handler select_permutation(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    if (modifiers.has(".f4e")) return Compute<permute_forward>::run;
    if (modifiers.has(".b4e")) return Compute<permute_backward>::run;
    if (modifiers.has(".rc8")) return Compute<replicate_byte>::run;
    if (modifiers.has(".rc16")) return Compute<replicate_half>::run;
    if (modifiers.has(".ecl")) return Compute<clamp_to_left>::run;
    if (modifiers.has(".ecr")) return Compute<clamp_to_right>::run;
    return Compute<permute>::run;
}

constexpr Form forms[] = {
    {"shl", ".b16|.b32|.b64", "=t t b32", select_bits<[]<class Type>() -> Handler { return Compute<shift_left<Type>>::run; }>},
    {"shr", ".b16|.b32|.b64|.u16|.s16|.u32|.s32|.u64|.s64", "=t t b32",
     select_integer<[]<class Type>() -> Handler { return Compute<shift_right<Type>>::run; }>},
    {"shf", ".l|.r .wrap .b32", "=t t t b32", select_funnel_shift<true>, Flow::none, 3010, 32},
    {"shf", ".l|.r .clamp .b32", "=t t t b32", select_funnel_shift<false>, Flow::none, 3010, 32},
    {"prmt", ".b32 [.f4e|.b4e|.rc8|.ecl|.ecr|.rc16]", "=t t t t", select_permutation},
};

}  // namespace

Forms shift_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
