// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Selection of one of two values.
#include <bit>

#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
Type select_value(Type first, Type second, bool is_first) {
    return is_first ? first : second;
}

template <class Type>
Type select_by_sign(Type first, Type second, std::int32_t selector) {
    return selector >= 0 ? first : second;
}
// NaN selects the second value, -0 the first.
template <class Type>
Type select_by_float(Type first, Type second, float selector) {
    return selector >= 0 ? first : second;
}
// Subnormal numbers count as 0.
template <class Type>
Type select_by_flushed_float(Type first, Type second, std::uint32_t selector) {
    const bool is_flushed = (selector & 0x7f800000) == 0;
    return is_flushed || std::bit_cast<float>(selector) >= 0 ? first : second;
}

/// Selects the handler by the number of bytes of the destination.
template <auto make>
Handler select_width(Choice& choice) {
    switch (choice.bytes[0]) {
        case 2:
            return make.template operator()<std::uint16_t>();
        case 4:
            return make.template operator()<std::uint32_t>();
        case 8:
            return make.template operator()<std::uint64_t>();
        default:
            return nullptr;
    }
}

#define CUBIND_TYPES ".b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64"

constexpr Form forms[] = {
    {"selp", CUBIND_TYPES, "=t t t p",
     select_width<[]<class Type>() -> Handler { return ComputeWithPredicate<select_value<Type>>::run; }>},
    {"slct", CUBIND_TYPES " .s32", "=s s s t",
     select_width<[]<class Type>() -> Handler { return Compute<select_by_sign<Type>>::run; }>},
    {"slct", CUBIND_TYPES " .f32", "=s s s t",
     select_width<[]<class Type>() -> Handler { return Compute<select_by_float<Type>>::run; }>},
    {"slct", ".ftz " CUBIND_TYPES " .f32", "=s s s t",
     select_width<[]<class Type>() -> Handler { return Compute<select_by_flushed_float<Type>>::run; }>},
};

}  // namespace

Forms selection_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
