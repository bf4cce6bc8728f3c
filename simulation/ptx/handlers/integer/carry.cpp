// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of numbers that are longer than a register. An H200 computes a difference as the sum of the minuend, the complement
// of the subtrahend, and 1. So the carry flag of a difference is set if there is no borrow.
#include "ptx/handlers/integer/products.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// The numbers that an instruction adds, each a function of its sources.
template <class Type>
struct Sum {
    static constexpr bool has_product = false;
    static constexpr bool adds_one = false;
    static Type first(Type a, Type) { return a; }
    static Type second(Type b) { return b; }
};
template <class Type>
struct Difference {
    static constexpr bool has_product = false;
    static constexpr bool adds_one = true;
    static Type first(Type a, Type) { return a; }
    static Type second(Type b) { return static_cast<Type>(~b); }
};
template <class Type>
struct LowProduct {
    static constexpr bool has_product = true;
    static constexpr bool adds_one = false;
    static Type first(Type a, Type b) { return multiply_low(a, b); }
    static Type second(Type c) { return c; }
};
template <class Type>
struct HighProduct {
    static constexpr bool has_product = true;
    static constexpr bool adds_one = false;
    static Type first(Type a, Type b) { return multiply_high(a, b); }
    static Type second(Type c) { return c; }
};

template <template <class> class Terms, class Type, bool has_carry_in, bool has_carry_out>
const Instruction* add_terms(Warp& warp, const Instruction* instruction) {
    using Unsigned = std::make_unsigned_t<Type>;
    using Operation = Terms<Type>;
    std::uint32_t carry = has_carry_in ? warp.carry : Operation::adds_one ? all_lanes : 0;
    const Type* const a = warp.from<Type>(instruction->slots[1]);
    const Type* const b = warp.from<Type>(instruction->slots[2]);
    const Type* const last = Operation::has_product ? warp.from<Type>(instruction->slots[3]) : b;
    const auto sum = [carry](Type x, Type y, Type z, std::uint32_t bit) {
        const Unsigned one = (carry & bit) != 0 ? 1 : 0;
        return static_cast<Unsigned>(static_cast<Unsigned>(Operation::first(x, y)) + static_cast<Unsigned>(Operation::second(z)) +
                                     one);
    };
    // The destination may be a source.
    std::uint32_t carry_out = 0;
    if constexpr (has_carry_out) {
        carry_out = test_lanes(
            warp,
            [carry, sum](Type x, Type y, Type z, std::uint32_t bit) {
                const Unsigned result = sum(x, y, z, bit);
                const auto term = static_cast<Unsigned>(Operation::second(z));
                return (carry & bit) != 0 ? result <= term : result < term;
            },
            a, b, last, lane_bits);
    }
    write_lanes(warp, warp.to<Unsigned>(instruction->slots[0]), sum, a, b, last, lane_bits);
    if (has_carry_out) warp.carry = (warp.carry & ~warp.mask) | carry_out;
    return instruction + 1;
}

template <template <class> class Terms, bool has_carry_in, bool has_carry_out>
Handler select(Choice& choice) {
    return select_integer<[]<class Type>() -> Handler { return add_terms<Terms, Type, has_carry_in, has_carry_out>; }>(choice);
}

#define CUBIND_CARRY_INTEGERS ".u32|.s32|.u64|.s64"
#define CUBIND_INTEGERS ".u16|.s16|" CUBIND_CARRY_INTEGERS

// Not supported are madc.hi of 16 bits, and madc.hi.sat: ptxas accepts them, but its code computes other results.
constexpr Form forms[] = {
    {"add", ".cc " CUBIND_CARRY_INTEGERS, "=t t t", select<Sum, false, true>},
    {"addc", ".cc " CUBIND_CARRY_INTEGERS, "=t t t", select<Sum, true, true>},
    {"addc", CUBIND_INTEGERS, "=t t t", select<Sum, true, false>},
    {"sub", ".cc " CUBIND_CARRY_INTEGERS, "=t t t", select<Difference, false, true>},
    {"subc", ".cc " CUBIND_CARRY_INTEGERS, "=t t t", select<Difference, true, true>},
    {"subc", CUBIND_INTEGERS, "=t t t", select<Difference, true, false>},
    {"mad", ".lo .cc " CUBIND_CARRY_INTEGERS, "=t t t t", select<LowProduct, false, true>},
    {"madc", ".lo .cc " CUBIND_CARRY_INTEGERS, "=t t t t", select<LowProduct, true, true>},
    {"madc", ".lo " CUBIND_INTEGERS, "=t t t t", select<LowProduct, true, false>},
    {"mad", ".hi .cc " CUBIND_CARRY_INTEGERS, "=t t t t", select<HighProduct, false, true>},
    {"madc", ".hi .cc " CUBIND_CARRY_INTEGERS, "=t t t t", select<HighProduct, true, true>},
    {"madc", ".hi " CUBIND_CARRY_INTEGERS, "=t t t t", select<HighProduct, true, false>},
};

}  // namespace

Forms carry_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
