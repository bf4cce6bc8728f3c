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

template <class Type>
struct Select {
    static constexpr Handler handler = ComputeWithPredicate<select_value<Type>>::run;
};
template <class Type>
struct SelectBySign {
    static constexpr Handler handler = Compute<select_by_sign<Type>>::run;
};
template <class Type>
struct SelectByFloat {
    static constexpr Handler handler = Compute<select_by_float<Type>>::run;
};
template <class Type>
struct SelectByFlushedFloat {
    static constexpr Handler handler = Compute<select_by_flushed_float<Type>>::run;
};

/// Selects the handler by the number of bytes of the destination.
template <template <class> class Make>
Handler select_width(Choice& choice) {
    switch (choice.bytes[0]) {
        case 2:
            return Make<std::uint16_t>::handler;
        case 4:
            return Make<std::uint32_t>::handler;
        case 8:
            return Make<std::uint64_t>::handler;
        default:
            return nullptr;
    }
}

#define CUBIND_TYPES ".b16|.u16|.s16|.b32|.u32|.s32|.b64|.u64|.s64|.f32|.f64"

constexpr Form forms[] = {
    {"selp", CUBIND_TYPES, "=t t t p", select_width<Select>},
    {"slct", CUBIND_TYPES " .s32", "=s s s t", select_width<SelectBySign>},
    {"slct", CUBIND_TYPES " .f32", "=s s s t", select_width<SelectByFloat>},
    {"slct", ".ftz " CUBIND_TYPES " .f32", "=s s s t", select_width<SelectByFlushedFloat>},
};

}  // namespace

Forms selection_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
