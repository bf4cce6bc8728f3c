// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "bit_oracle.hpp"

namespace cubind::testing::comparison_tests {
namespace {

using namespace oracle;

bool compare(std::string_view name, Number a, Number b) {
    const bool is_less_than = is_less(a, b);
    const bool is_greater_than = is_less(b, a);
    if (name == "eq") return !is_less_than && !is_greater_than;
    if (name == "ne") return is_less_than || is_greater_than;
    if (name == "lt" || name == "lo") return is_less_than;
    if (name == "le" || name == "ls") return !is_greater_than;
    if (name == "gt" || name == "hi") return is_greater_than;
    return !is_less_than;
}

bool combine(std::string_view name, bool a, bool b) {
    return name == ".and" ? a && b : name == ".or" ? a || b : name == ".xor" ? a != b : a;
}

std::string bits_name(std::size_t bytes) {
    return ".b" + std::to_string(8 * bytes);
}

// Calls a function for each comparison and type: its name, the modifier of the type, and a value of the type.
template <class Call>
void for_comparisons(Call call) {
    for_integers([&]<class Type>() {
        for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}) {
            const bool is_unsigned_only = name == "lo" || name == "ls" || name == "hi" || name == "hs";
            if (is_unsigned_only && std::is_signed_v<Type>) continue;
            call(name, type_name<Type>(), Type{});
            if ((name == "eq" || name == "ne") && std::is_unsigned_v<Type>) call(name, bits_name(sizeof(Type)), Type{});
        }
    });
}

constexpr std::size_t cases = 256;

// Pairs of values that are often equal.
template <class Type>
std::vector<Type> second_values(const std::vector<Type>& first) {
    std::vector<Type> all = values_for_tests<Type>(first.size(), 2);
    for (std::size_t i = 0; i < all.size(); i += 3) all[i] = first[i];
    return all;
}

TEST(ComparisonTest, SetsPredicates) {
    for_comparisons([](const std::string& name, const std::string& type, auto zero) {
        using Type = decltype(zero);
        const auto a = values_for_tests<Type>(cases, 1);
        const auto model = [name](Type x, Type y) { return compare(name, extend(x), extend(y)) ? 1u : 2u; };
        const std::string text = "setp." + name + type;
        expect_instruction<std::uint32_t>(text + " %p|%q, %a, %b;\nselp.b32 %d, 1, 0, %p;\n@%q add.u32 %d, %d, 2;", model, a,
                                          second_values(a));
        expect_instruction<std::uint32_t>(text + " %p, %a, %b;\nselp.b32 %d, 1, 2, %p;", model, a, second_values(a));
        expect_instruction<std::uint32_t>(text + " _|%q, %a, %b;\nselp.b32 %d, 1, 2, !%q;", model, a, second_values(a));
    });
}

TEST(ComparisonTest, CombinesPredicates) {
    for_comparisons([](const std::string& name, const std::string& type, auto zero) {
        using Type = decltype(zero);
        const auto a = values_for_tests<Type>(cases, 1);
        std::vector<std::uint32_t> flags;
        for (std::uint32_t i = 0; i < cases; ++i) flags.push_back(i * i / 5 % 2);
        for (const char* const combination : {".and", ".or", ".xor"}) {
            for (const bool is_negated : {false, true}) {
                const auto model = [=](Type x, Type y, std::uint32_t flag) {
                    const bool is_true = compare(name, extend(x), extend(y));
                    const bool other = (flag != 0) != is_negated;
                    return (combine(combination, is_true, other) ? 1u : 0u) + (combine(combination, !is_true, other) ? 2u : 0u);
                };
                // The predicate that is read is also the second one that is written.
                expect_instruction<std::uint32_t>("setp.ne.u32 %q, %c, 0;\nsetp." + name + combination + type +
                                                      " %p|%q, %a, %b, " + (is_negated ? "!%q" : "%q") +
                                                      ";\nselp.b32 %d, 1, 0, %p;\n@%q add.u32 %d, %d, 2;",
                                                  model, a, second_values(a), flags);
            }
        }
    });
}

TEST(ComparisonTest, SetsRegisters) {
    for_comparisons([](const std::string& name, const std::string& type, auto zero) {
        using Type = decltype(zero);
        const auto a = values_for_tests<Type>(cases, 1);
        std::vector<std::uint32_t> flags;
        for (std::uint32_t i = 0; i < cases; ++i) flags.push_back(i * i / 5 % 2);
        for (const char* const result : {".u32", ".s32", ".f32"}) {
            for (const char* const combination : {"", ".and", ".or", ".xor"}) {
                const bool is_combined = combination[0] != 0;
                const auto model = [=](Type x, Type y, std::uint32_t flag) {
                    const bool is_true = combine(combination, compare(name, extend(x), extend(y)), flag == 0);
                    if (result[1] == 'f') return std::bit_cast<std::uint32_t>(is_true ? 1.0f : 0.0f);
                    return is_true ? 0xffffffffu : 0u;
                };
                expect_instruction<std::uint32_t>("setp.ne.u32 %q, %c, 0;\nset." + name + combination + result + type +
                                                      " %d, %a, %b" + (is_combined ? ", !%q;" : ";"),
                                                  model, a, second_values(a), flags);
            }
        }
    });
}

TEST(ComparisonTest, ComputesLogicOfPredicates) {
    for (const char* const name : {"and", "or", "xor"}) {
        const auto model = [name](std::uint32_t a, std::uint32_t b) {
            return combine(std::string(".") + name, a % 2 != 0, b % 2 == 0) ? 1u : 0u;
        };
        expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
            "and.b32 %t, %a, 1;\nsetp.ne.u32 %p, %t, 0;\nand.b32 %t, %b, 1;\nsetp.ne.u32 %q, %t, 0;\n" + std::string(name) +
                ".pred %p, %p, !%q;\nselp.b32 %d, 1, 0, %p;",
            model);
    }
    expect_instruction_for_all<std::uint32_t, std::uint32_t>(
        "setp.ne.u32 %p, %a, 0;\nnot.pred %q, %p;\nmov.pred %p, 1;\nand.pred %p, %p, %q;\nselp.b32 %d, 1, 0, %p;",
        [](std::uint32_t a) { return a == 0 ? 1u : 0u; });
}

const char* const types_16[] = {".b16", ".u16", ".s16"};
const char* const types_32[] = {".b32", ".u32", ".s32", ".f32"};
const char* const types_64[] = {".b64", ".u64", ".s64", ".f64"};

template <class Type>
std::span<const char* const> type_names() {
    if constexpr (sizeof(Type) == 2) return types_16;
    if constexpr (sizeof(Type) == 4) return types_32;
    return types_64;
}

TEST(SelectionTest, SelectsByPredicate) {
    for_types<std::uint16_t, std::uint32_t, std::uint64_t>([]<class Type>() {
        for (const std::string type : type_names<Type>()) {
            expect_instruction_for_all<Type, Type, Type, std::uint32_t>(
                "setp.ge.u32 %p, %c, 33;\nselp" + type + " %d, %a, %b, %p;",
                [](Type a, Type b, std::uint32_t c) { return c >= 33 ? a : b; });
            expect_instruction_for_all<Type, Type, Type, std::uint32_t>(
                "setp.ge.u32 %p, %c, 33;\nselp" + type + " %d, %a, %b, !%p;",
                [](Type a, Type b, std::uint32_t c) { return c >= 33 ? b : a; });
        }
    });
}

TEST(SelectionTest, SelectsBySign) {
    for_types<std::uint16_t, std::uint32_t, std::uint64_t>([]<class Type>() {
        for (const std::string type : type_names<Type>()) {
            expect_instruction_for_all<Type, Type, Type, std::int32_t>(
                "slct" + type + ".s32 %d, %a, %b, %c;",
                [](Type a, Type b, std::int32_t c) { return bit(extend(c), 31) ? b : a; });
            for (const bool is_flushing : {false, true}) {
                const auto model = [is_flushing](Type a, Type b, float c) {
                    const bool is_zero = c == 0 || (is_flushing && std::fpclassify(c) == FP_SUBNORMAL);
                    return !std::isnan(c) && (is_zero || !std::signbit(c)) ? a : b;
                };
                expect_instruction_for_all<Type, Type, Type, float>(
                    std::string(is_flushing ? "slct.ftz" : "slct") + type + ".f32 %d, %a, %b, %c;", model);
            }
        }
    });
}

}  // namespace
}  // namespace cubind::testing::comparison_tests
