// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic: sums, differences, minima and maxima.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
Type add(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) + static_cast<Bits<Type>>(b));
}
template <class Type>
Type subtract(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) - static_cast<Bits<Type>>(b));
}
template <class Type>
Type negate(Type a) {
    return subtract<Type>(0, a);
}
template <class Type>
Type absolute(Type a) {
    return a < 0 ? negate(a) : a;
}
template <class Type>
Type least(Type a, Type b) {
    return a < b ? a : b;
}
template <class Type>
Type greatest(Type a, Type b) {
    return a < b ? b : a;
}
template <class Type>
Type add_absolute_difference(Type a, Type b, Type c) {
    return add(c, a < b ? subtract(b, a) : subtract(a, b));
}

std::int32_t add_saturated(std::int32_t a, std::int32_t b) {
    return saturate(std::int64_t{a} + b);
}
std::int32_t subtract_saturated(std::int32_t a, std::int32_t b) {
    return saturate(std::int64_t{a} - b);
}

// .relu: negative results become 0.
std::int32_t least_positive(std::int32_t a, std::int32_t b) {
    return greatest(least(a, b), std::int32_t{0});
}
std::int32_t greatest_positive(std::int32_t a, std::int32_t b) {
    return greatest(greatest(a, b), std::int32_t{0});
}

/// Applies a function to the two halves of registers of 32 bits.
template <class Half, Half (*function)(Half, Half)>
std::uint32_t for_halves(std::uint32_t a, std::uint32_t b) {
    const auto low = static_cast<std::uint16_t>(function(static_cast<Half>(a), static_cast<Half>(b)));
    const auto high = static_cast<std::uint16_t>(function(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16)));
    return std::uint32_t{high} << 16 | low;
}
std::int16_t least_positive_half(std::int16_t a, std::int16_t b) {
    return greatest(least(a, b), std::int16_t{0});
}
std::int16_t greatest_positive_half(std::int16_t a, std::int16_t b) {
    return greatest(greatest(a, b), std::int16_t{0});
}

// Instructions for video: unsigned parts of registers of 32 bits. The form without .add replaces all parts of the third source.
template <unsigned width>
std::uint32_t differences(std::uint32_t a, std::uint32_t b, std::uint32_t) {
    constexpr std::uint32_t part = (1u << width) - 1;
    std::uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += width) {
        result |= add_absolute_difference<std::uint32_t>(a >> shift & part, b >> shift & part, 0) << shift;
    }
    return result;
}
template <unsigned width>
std::uint32_t add_differences(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    constexpr std::uint32_t part = (1u << width) - 1;
    for (unsigned shift = 0; shift < 32; shift += width) {
        c = add_absolute_difference<std::uint32_t>(a >> shift & part, b >> shift & part, c);
    }
    return c;
}

template <auto make>
Handler select_signed(Choice& choice) {
    return for_type<make, std::int16_t, std::int32_t, std::int64_t>(choice.modifiers.type());
}

/// Selects between the functions of unsigned and of signed halves.
template <std::uint16_t (*unsigned_function)(std::uint16_t, std::uint16_t),
          std::int16_t (*signed_function)(std::int16_t, std::int16_t)>
Handler select_halves(Choice& choice) {
    if (choice.modifiers.type() == ".s16x2") return Compute<for_halves<std::int16_t, signed_function>>::run;
    return Compute<for_halves<std::uint16_t, unsigned_function>>::run;
}

#define CUBIND_INTEGERS ".u16|.s16|.u32|.s32|.u64|.s64"

constexpr Form forms[] = {
    {"add", CUBIND_INTEGERS, "=t t t", select_integer<[]<class Type>() -> Handler { return Compute<add<Type>>::run; }>},
    {"add", ".sat .s32", "=t t t", select<Compute<add_saturated>::run>},
    {"add", ".u16x2|.s16x2", "=t t t", select_halves<add<std::uint16_t>, add<std::int16_t>>, Flow::none, 8000, 90},
    {"sub", CUBIND_INTEGERS, "=t t t", select_integer<[]<class Type>() -> Handler { return Compute<subtract<Type>>::run; }>},
    {"sub", ".sat .s32", "=t t t", select<Compute<subtract_saturated>::run>},
    {"neg", ".s16|.s32|.s64", "=t t", select_signed<[]<class Type>() -> Handler { return Compute<negate<Type>>::run; }>},
    {"abs", ".s16|.s32|.s64", "=t t", select_signed<[]<class Type>() -> Handler { return Compute<absolute<Type>>::run; }>},
    {"sad", CUBIND_INTEGERS, "=t t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<add_absolute_difference<Type>>::run; }>},
    {"vabsdiff2", ".u32 .u32 .u32", "=t t t t", select<Compute<differences<16>>::run>, Flow::none, 3000, 30},
    {"vabsdiff2", ".add .u32 .u32 .u32", "=t t t t", select<Compute<add_differences<16>>::run>, Flow::none, 3000, 30},
    {"vabsdiff4", ".u32 .u32 .u32", "=t t t t", select<Compute<differences<8>>::run>, Flow::none, 3000, 30},
    {"vabsdiff4", ".add .u32 .u32 .u32", "=t t t t", select<Compute<add_differences<8>>::run>, Flow::none, 3000, 30},
    {"min", CUBIND_INTEGERS, "=t t t", select_integer<[]<class Type>() -> Handler { return Compute<least<Type>>::run; }>},
    {"min", ".u16x2|.s16x2", "=t t t", select_halves<least<std::uint16_t>, least<std::int16_t>>, Flow::none, 8000, 90},
    {"min", ".relu .s32", "=t t t", select<Compute<least_positive>::run>, Flow::none, 8000, 90},
    {"min", ".relu .s16x2", "=t t t", select<Compute<for_halves<std::int16_t, least_positive_half>>::run>, Flow::none, 8000, 90},
    {"max", CUBIND_INTEGERS, "=t t t", select_integer<[]<class Type>() -> Handler { return Compute<greatest<Type>>::run; }>},
    {"max", ".u16x2|.s16x2", "=t t t", select_halves<greatest<std::uint16_t>, greatest<std::int16_t>>, Flow::none, 8000, 90},
    {"max", ".relu .s32", "=t t t", select<Compute<greatest_positive>::run>, Flow::none, 8000, 90},
    {"max", ".relu .s16x2", "=t t t", select<Compute<for_halves<std::int16_t, greatest_positive_half>>::run>, Flow::none, 8000,
     90},
};

}  // namespace

Forms integer_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
