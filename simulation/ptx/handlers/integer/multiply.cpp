// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of integers: full width, 24 bits, and dot products of bytes.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/integer/products.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
Type multiply_add_low(Type a, Type b, Type c) {
    return static_cast<Type>(static_cast<Bits<Type>>(multiply_low(a, b)) + static_cast<Bits<Type>>(c));
}
template <class Type>
Type multiply_add_high(Type a, Type b, Type c) {
    return static_cast<Type>(static_cast<Bits<Type>>(multiply_high(a, b)) + static_cast<Bits<Type>>(c));
}
template <class Type>
Twice<Type> multiply_add_wide(Type a, Type b, Twice<Type> c) {
    return static_cast<Twice<Type>>(static_cast<Bits<Twice<Type>>>(multiply_wide(a, b)) + static_cast<Bits<Twice<Type>>>(c));
}
std::int32_t multiply_add_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturate(std::int64_t{multiply_high(a, b)} + c);
}

// The product of the lowest 24 bits has 48 bits, of which the result is the lowest or the highest 32.
template <class Type>
Twice<Type> multiply_24(Type a, Type b) {
    const auto extend = [](Type value) { return static_cast<Type>(static_cast<Type>(static_cast<Bits<Type>>(value) << 8) >> 8); };
    return multiply_wide(extend(a), extend(b));
}
template <class Type>
Type multiply_24_low(Type a, Type b) {
    return static_cast<Type>(multiply_24(a, b));
}
template <class Type>
Type multiply_24_high(Type a, Type b) {
    return static_cast<Type>(multiply_24(a, b) >> 16);
}
template <class Type>
Type multiply_add_24_low(Type a, Type b, Type c) {
    return static_cast<Type>(static_cast<Bits<Type>>(multiply_24_low(a, b)) + static_cast<Bits<Type>>(c));
}
template <class Type>
Type multiply_add_24_high(Type a, Type b, Type c) {
    return static_cast<Type>(static_cast<Bits<Type>>(multiply_24_high(a, b)) + static_cast<Bits<Type>>(c));
}
std::int32_t multiply_add_24_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
    return saturate(std::int64_t{multiply_24_high(a, b)} + c);
}

/// Adds the products of `count` elements of two registers to c. Elements of b are bytes, and begin at the byte `first`.
template <class First, class Second, unsigned count, unsigned first>
std::uint32_t dot_product(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned i = 0; i < count; ++i) {
        const auto x = static_cast<std::int32_t>(static_cast<First>(a >> (8 * sizeof(First) * i)));
        const auto y = static_cast<std::int32_t>(static_cast<Second>(b >> (8 * (first + i))));
        c += static_cast<std::uint32_t>(x * y);
    }
    return c;
}

template <class Unsigned, unsigned count, unsigned first>
Handler select_dot_product(Choice& choice) {
    using Signed = std::make_signed_t<Unsigned>;
    const bool is_second_signed = choice.modifiers.type() == ".s32";
    const bool is_first_signed = choice.modifiers.type(1) == ".s32";
    if (is_first_signed && is_second_signed) return Compute<dot_product<Signed, std::int8_t, count, first>>::run;
    if (is_first_signed) return Compute<dot_product<Signed, std::uint8_t, count, first>>::run;
    if (is_second_signed) return Compute<dot_product<Unsigned, std::int8_t, count, first>>::run;
    return Compute<dot_product<Unsigned, std::uint8_t, count, first>>::run;
}

template <auto make>
Handler select_narrow(Choice& choice) {
    return for_type<make, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t>(choice.modifiers.type());
}

#define CUBIND_INTEGERS ".u16|.s16|.u32|.s32|.u64|.s64"

constexpr Form forms[] = {
    {"mul", ".lo " CUBIND_INTEGERS, "=t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<multiply_low<Type>>::run; }>},
    {"mul", ".hi " CUBIND_INTEGERS, "=t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<multiply_high<Type>>::run; }>},
    {"mul", ".wide .u16|.s16|.u32|.s32", "=w t t",
     select_narrow<[]<class Type>() -> Handler { return Compute<multiply_wide<Type>>::run; }>},
    {"mad", ".lo " CUBIND_INTEGERS, "=t t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<multiply_add_low<Type>>::run; }>},
    {"mad", ".hi " CUBIND_INTEGERS, "=t t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<multiply_add_high<Type>>::run; }>},
    {"mad", ".hi .sat .s32", "=t t t t", select<Compute<multiply_add_high_saturated>::run>},
    {"mad", ".wide .u16|.s16|.u32|.s32", "=w t t w",
     select_narrow<[]<class Type>() -> Handler { return Compute<multiply_add_wide<Type>>::run; }>},
    {"mul24", ".lo .u32|.s32", "=t t t", select_32<[]<class Type>() -> Handler { return Compute<multiply_24_low<Type>>::run; }>},
    {"mul24", ".hi .u32|.s32", "=t t t", select_32<[]<class Type>() -> Handler { return Compute<multiply_24_high<Type>>::run; }>},
    {"mad24", ".lo .u32|.s32", "=t t t t",
     select_32<[]<class Type>() -> Handler { return Compute<multiply_add_24_low<Type>>::run; }>},
    {"mad24", ".hi .u32|.s32", "=t t t t",
     select_32<[]<class Type>() -> Handler { return Compute<multiply_add_24_high<Type>>::run; }>},
    {"mad24", ".hi .sat .s32", "=t t t t", select<Compute<multiply_add_24_high_saturated>::run>},
    {"dp4a", ".u32|.s32 .u32|.s32", "=t t t t", select_dot_product<std::uint8_t, 4, 0>, Flow::none, 5000, 61},
    {"dp2a", ".lo .u32|.s32 .u32|.s32", "=t t t t", select_dot_product<std::uint16_t, 2, 0>, Flow::none, 5000, 61},
    {"dp2a", ".hi .u32|.s32 .u32|.s32", "=t t t t", select_dot_product<std::uint16_t, 2, 2>, Flow::none, 5000, 61},
};

}  // namespace

Forms multiply_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
