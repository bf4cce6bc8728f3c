// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Logic of bits and of predicates.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

template <class Type>
Type conjoin(Type a, Type b) {
    return a & b;
}
template <class Type>
Type disjoin(Type a, Type b) {
    return a | b;
}
template <class Type>
Type exclude(Type a, Type b) {
    return a ^ b;
}
template <class Type>
Type invert(Type a) {
    return static_cast<Type>(~a);
}
template <class Type>
Type is_zero(Type a) {
    return a == 0 ? Type{1} : Type{0};
}

/// A function of three bits, as the table of its results. The first source is bit 2 of the index.
class Table {
public:
    explicit Table(std::uint32_t bits) {
        for (unsigned i = 0; i < 4; ++i) {
            zero_[i] = 0 - (bits >> (2 * i) & 1);
            difference_[i] = zero_[i] ^ (0 - (bits >> (2 * i + 1) & 1));
        }
    }
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        const std::uint32_t without_a = choose(b, result(1, c), result(0, c));
        const std::uint32_t with_a = choose(b, result(3, c), result(2, c));
        return choose(a, with_a, without_a);
    }

private:
    static std::uint32_t choose(std::uint32_t bits, std::uint32_t one, std::uint32_t zero) {
        return zero ^ (bits & (zero ^ one));
    }
    std::uint32_t result(unsigned index, std::uint32_t c) const { return zero_[index] ^ (c & difference_[index]); }

    std::uint32_t zero_[4];        ///< results if the third source is 0, by the first two
    std::uint32_t difference_[4];  ///< whether the third source changes them
};

const Instruction* look_up(Warp& warp, const Instruction* instruction) {
    const Table table(instruction->extra);
    write_lanes(warp, warp.to<std::uint32_t>(instruction->slots[0]), table, warp.from<std::uint32_t>(instruction->slots[2]),
                warp.from<std::uint32_t>(instruction->slots[3]), warp.from<std::uint32_t>(instruction->slots[4]));
    return instruction + 1;
}

/// Writes also whether the result, or a predicate, is true. The result may be absent.
template <auto combine>
const Instruction* look_up_and_test(Warp& warp, const Instruction* instruction) {
    const Table table(instruction->extra);
    const std::uint32_t bits = test_lanes(
        warp, [&table](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return table(a, b, c) != 0; },
        warp.from<std::uint32_t>(instruction->slots[2]), warp.from<std::uint32_t>(instruction->slots[3]),
        warp.from<std::uint32_t>(instruction->slots[4]));
    const std::uint32_t predicate = warp.predicate(instruction->slots[5]);
    if (instruction->slots[0] != no_slot) look_up(warp, instruction);
    if (instruction->slots[1] != no_slot) warp.set_predicate(instruction->slots[1], combine(bits, predicate));
    return instruction + 1;
}

template <auto combine>
const Instruction* combine_predicates(Warp& warp, const Instruction* instruction) {
    const std::uint32_t first = warp.predicate(instruction->slots[1]);
    warp.set_predicate(instruction->slots[0], combine(first, warp.predicate(instruction->slots[2])));
    return instruction + 1;
}
const Instruction* invert_predicate(Warp& warp, const Instruction* instruction) {
    warp.set_predicate(instruction->slots[0], ~warp.predicate(instruction->slots[1]));
    return instruction + 1;
}

constexpr Form forms[] = {
    {"and", ".b16|.b32|.b64", "=t t t", select_bits<[]<class Type>() -> Handler { return Compute<conjoin<Type>>::run; }>},
    {"or", ".b16|.b32|.b64", "=t t t", select_bits<[]<class Type>() -> Handler { return Compute<disjoin<Type>>::run; }>},
    {"xor", ".b16|.b32|.b64", "=t t t", select_bits<[]<class Type>() -> Handler { return Compute<exclude<Type>>::run; }>},
    {"not", ".b16|.b32|.b64", "=t t", select_bits<[]<class Type>() -> Handler { return Compute<invert<Type>>::run; }>},
    {"cnot", ".b16|.b32|.b64", "=t t", select_bits<[]<class Type>() -> Handler { return Compute<is_zero<Type>>::run; }>},
    {"and", ".pred", "=p p p", select<combine_predicates<conjoin<std::uint32_t>>>},
    {"or", ".pred", "=p p p", select<combine_predicates<disjoin<std::uint32_t>>>},
    {"xor", ".pred", "=p p p", select<combine_predicates<exclude<std::uint32_t>>>},
    {"not", ".pred", "=p p", select<invert_predicate>},
    {"lop3", ".b32", "=t|p t t t i", select<look_up>, Flow::none, 4030, 50},
    {"lop3", ".and .b32", "=t|p t t t i p", select<look_up_and_test<conjoin<std::uint32_t>>>, Flow::none, 8020, 70},
    {"lop3", ".or .b32", "=t|p t t t i p", select<look_up_and_test<disjoin<std::uint32_t>>>, Flow::none, 8020, 70},
};

}  // namespace

Forms logic_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
