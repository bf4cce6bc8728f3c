// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of integers. Both have all bits set if the divisor is 0.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// A divisor for which the quotient exists and fits its type. The quotient of the least value by -1 is the least value, the
// remainder 0, as of a division by 1.
template <class Type>
inline Type safe_divisor(Type a, Type b) {
    bool is_valid = b != 0;
    if constexpr (std::is_signed_v<Type>) is_valid = is_valid && !(b == -1 && a == std::numeric_limits<Type>::min());
    return is_valid ? b : Type{1};
}

template <class Type>
Type divide(Type a, Type b) {
    const auto quotient = static_cast<Type>(a / safe_divisor(a, b));
    return b != 0 ? quotient : static_cast<Type>(-1);
}
template <class Type>
Type find_remainder(Type a, Type b) {
    const auto remainder = static_cast<Type>(a % safe_divisor(a, b));
    return b != 0 ? remainder : static_cast<Type>(-1);
}

// Quotients of 32 bits are exact when a double is rounded toward zero, and processors divide vectors of doubles.
template <>
std::int32_t divide(std::int32_t a, std::int32_t b) {
    const auto quotient = static_cast<std::int32_t>(static_cast<double>(a) / static_cast<double>(safe_divisor(a, b)));
    return b != 0 ? quotient : -1;
}
template <>
std::int32_t find_remainder(std::int32_t a, std::int32_t b) {
    const std::int32_t divisor = safe_divisor(a, b);
    const auto quotient = static_cast<std::int32_t>(static_cast<double>(a) / static_cast<double>(divisor));
    return b != 0 ? a - quotient * divisor : -1;
}

constexpr Form forms[] = {
    {"div", ".u16|.s16|.u32|.s32|.u64|.s64", "=t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<divide<Type>>::run; }>},
    {"rem", ".u16|.s16|.u32|.s32|.u64|.s64", "=t t t",
     select_integer<[]<class Type>() -> Handler { return Compute<find_remainder<Type>>::run; }>},
};

}  // namespace

Forms division_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
