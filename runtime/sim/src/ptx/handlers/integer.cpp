// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic.
#include <type_traits>

#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// Sums wrap around. Unsigned types of at least the width of int do not promote to a signed type.
template <class Type>
using Bits = std::conditional_t<sizeof(Type) == 2, std::uint32_t, std::make_unsigned_t<Type>>;

template <class Type>
Type add(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) + static_cast<Bits<Type>>(b));
}
template <class Type>
Type subtract(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) - static_cast<Bits<Type>>(b));
}
template <class Type>
Type multiply_low(Type a, Type b) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) * static_cast<Bits<Type>>(b));
}
template <class Type>
Type multiply_add_low(Type a, Type b, Type c) {
    return static_cast<Type>(static_cast<Bits<Type>>(a) * static_cast<Bits<Type>>(b) + static_cast<Bits<Type>>(c));
}

template <class Type>
struct Twice;
template <>
struct Twice<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct Twice<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct Twice<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct Twice<std::int32_t> {
    using type = std::int64_t;
};

template <class Type>
typename Twice<Type>::type multiply_wide(Type a, Type b) {
    return static_cast<typename Twice<Type>::type>(a) * static_cast<typename Twice<Type>::type>(b);
}

template <class Type>
struct Add {
    static constexpr Handler handler = Compute<add<Type>>::run;
};
template <class Type>
struct Subtract {
    static constexpr Handler handler = Compute<subtract<Type>>::run;
};
template <class Type>
struct MultiplyLow {
    static constexpr Handler handler = Compute<multiply_low<Type>>::run;
};
template <class Type>
struct MultiplyWide {
    static constexpr Handler handler = Compute<multiply_wide<Type>>::run;
};
template <class Type>
struct MultiplyAddLow {
    static constexpr Handler handler = Compute<multiply_add_low<Type>>::run;
};

template <template <class> class Make>
Handler select_all(Choice& choice) {
    return for_type<Make, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>(
        choice.modifiers.type());
}
template <template <class> class Make>
Handler select_narrow(Choice& choice) {
    return for_type<Make, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t>(choice.modifiers.type());
}

constexpr Form forms[] = {
    {"add", ".u16|.s16|.u32|.s32|.u64|.s64", "=t t t", select_all<Add>},
    {"sub", ".u16|.s16|.u32|.s32|.u64|.s64", "=t t t", select_all<Subtract>},
    {"mul", ".lo .u16|.s16|.u32|.s32|.u64|.s64", "=t t t", select_all<MultiplyLow>},
    {"mul", ".wide .u16|.s16|.u32|.s32", "=w t t", select_narrow<MultiplyWide>},
    {"mad", ".lo .u16|.s16|.u32|.s32|.u64|.s64", "=t t t t", select_all<MultiplyAddLow>},
};

}  // namespace

Forms integer_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
