// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::float_comparison_tests {
namespace {

// How two numbers relate: -1, 0, 1, or 2 if one is NaN.
int relation(long double a, long double b) {
    return std::isnan(a) || std::isnan(b) ? 2 : a < b ? -1 : a > b ? 1 : 0;
}

/// A comparison and the relations for which it is true.
struct Operator {
    std::string name;
    std::vector<int> relations;

    bool holds(int of) const {
        for (const int each : relations) {
            if (each == of) return true;
        }
        return false;
    }
};
const Operator operators[] = {
    {".eq", {0}},     {".ne", {-1, 1}},    {".lt", {-1}},        {".le", {-1, 0}},  {".gt", {1}},
    {".ge", {0, 1}},  {".equ", {0, 2}},    {".neu", {-1, 1, 2}}, {".ltu", {-1, 2}}, {".leu", {-1, 0, 2}},
    {".gtu", {1, 2}}, {".geu", {0, 1, 2}}, {".num", {-1, 0, 1}}, {".nan", {2}},
};

using Reader = long double (*)(std::uint64_t bits, bool flushes);

long double read_single(std::uint64_t bits, bool flushes) {
    const float value = float_from(static_cast<std::uint32_t>(bits));
    return flushes ? without_subnormals(value) : value;
}
long double read_double(std::uint64_t bits, bool) {
    return std::bit_cast<double>(bits);
}
long double read_small(unsigned bits, SmallFormat format, bool flushes) {
    if (format.is_nan(bits)) return NAN;
    return flushes && format.is_subnormal(bits) ? 0 : format.value(bits);
}
long double read_half(std::uint64_t bits, bool flushes) {
    return read_small(static_cast<unsigned>(bits & 0xffff), half_parts, flushes);
}
long double read_bfloat(std::uint64_t bits, bool) {
    return read_small(static_cast<unsigned>(bits & 0xffff), bfloat_parts, false);
}

// Pairs of values, many of which are equal or adjacent.
template <class Bits>
std::pair<std::vector<Bits>, std::vector<Bits>> sources() {
    using Value = std::conditional_t<sizeof(Bits) == 8, double, float>;
    std::vector<Bits> a, b;
    if constexpr (sizeof(Bits) == 2) {
        a = values_for_tests<Bits>(2048, 1);
        for (int i = 0; i < 64; ++i)
            a.push_back(static_cast<Bits>(i % 2 * 0x8000 + (i % 3 == 0 ? 0x7c00 : i % 3 == 1 ? 0x7f80 : 0) + i / 6));
    } else {
        for (const Value each : values_for_tests<Value>(2048, 1)) a.push_back(std::bit_cast<Bits>(each));
    }
    std::mt19937 random(3);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Bits other = random() % 2 == 0 ? a[i] : a[random() % a.size()];
        b.push_back(static_cast<Bits>(other + random() % 3 - 1));
        if (random() % 8 == 0) b.back() = static_cast<Bits>(a[i] ^ Bits{1} << (8 * sizeof(Bits) - 1));
    }
    return {a, b};
}

bool combine(const std::string& how, bool result, bool with) {
    return how.empty() ? result : how == ".and" ? result && with : how == ".or" ? result || with : result != with;
}

/// Tests a type with all operators. Both results are read back as two digits.
template <class Bits>
void test_setp(const std::string& type, Reader read, bool may_flush, bool is_pair, bool has_two_results) {
    const auto [a, b] = sources<Bits>();
    for (const Operator& each : operators) {
        for (const bool flushes : {false, true}) {
            if (flushes && !may_flush) continue;
            for (const std::string how : {"", ".and", ".or", ".xor"}) {
                const std::string text =
                    "setp" + each.name + how + (flushes ? ".ftz" : "") + type + (has_two_results ? " %p|%q" : " %p");
                const std::string prepare =
                    "mul.lo.u32 %t, %index, 0x20000000; setp.lt.s32 %even, %t, 0; setp.ne.u32 %q, %t, %t; ";
                std::size_t lane = 0;
                const auto oracle = [&](Bits x, Bits y) {
                    const bool with = (lane++ & 4) != 0;
                    const bool first = each.holds(relation(read(x, flushes), read(y, flushes)));
                    bool second = !first;
                    if (is_pair)
                        second =
                            each.holds(relation(read(std::uint64_t{x} >> 16, flushes), read(std::uint64_t{y} >> 16, flushes)));
                    const unsigned high = has_two_results && combine(how, second, with) ? 2 : 0;
                    return (combine(how, first, with) ? 1u : 0u) + high;
                };
                // The divergent kernel is not used, because this text overwrites its predicate %even.
                const std::string all = prepare + text + ", %a, %b" + (how.empty() ? "" : ", %even") +
                                        "; selp.u32 %d, 1, 0, %p; selp.u32 %t, 2, 0, %q; add.u32 %d, %d, %t;";
                const auto results = run_instruction<std::uint32_t>(all, false, "8.8", a, b);
                int shown = 0;
                for (std::size_t i = 0; i < results.size() && shown < 4; ++i) {
                    const unsigned expected = oracle(a[i], b[i]);
                    if (results[i] == expected) continue;
                    ++shown;
                    ADD_FAILURE() << text << " of " << std::hex << +a[i] << ' ' << +b[i] << ": " << results[i] << ", not "
                                  << expected;
                }
            }
        }
    }
}

TEST(FloatComparisonTest, SetsPredicates) {
    test_setp<std::uint32_t>(".f32", read_single, true, false, true);
    test_setp<std::uint64_t>(".f64", read_double, false, false, true);
    test_setp<std::uint16_t>(".f16", read_half, true, false, false);
    test_setp<std::uint16_t>(".bf16", read_bfloat, false, false, false);
    test_setp<std::uint32_t>(".f16x2", read_half, true, true, true);
    test_setp<std::uint32_t>(".bf16x2", read_bfloat, false, true, true);
}

TEST(FloatComparisonTest, WritesOnlyThePredicatesThatExist) {
    expect_instruction_for_all<std::uint32_t, float, float>(
        "setp.eq.u32 %p, %index, %index; setp.lt.f32 _|%q, %a, %b; selp.u32 %d, 1, 0, %p; selp.u32 %t, 2, 0, %q; add.u32 %d, %d, "
        "%t;",
        [](float a, float b) { return a < b ? 1u : 3u; });
}

/// Tests set with a type of results.
template <class Result, class Bits>
void test_set(const std::string& result_type, const std::string& type, Reader read, bool may_flush, bool is_pair,
              Result true_value) {
    const auto [a, b] = sources<Bits>();
    for (const Operator& each : operators) {
        for (const bool flushes : {false, true}) {
            if (flushes && !may_flush) continue;
            for (const std::string how : {"", ".and", ".or", ".xor"}) {
                const std::string text = "set" + each.name + how + (flushes ? ".ftz" : "") + result_type + type + " %d, %a, %b";
                const auto oracle = [&](Bits x, Bits y) {
                    // The predicate of the combination is true.
                    const auto holds = [&](std::uint64_t first, std::uint64_t second) {
                        return combine(how, each.holds(relation(read(first, flushes), read(second, flushes))), true);
                    };
                    if (!is_pair) return holds(x, y) ? true_value : Result{};
                    const std::uint64_t low = holds(x, y) ? std::uint64_t{true_value} & 0xffff : 0;
                    const bool is_high = holds(std::uint64_t{x} >> 16, std::uint64_t{y} >> 16);
                    return static_cast<Result>(low | (is_high ? std::uint64_t{true_value} & 0xffff0000 : 0));
                };
                const std::string prepare = how.empty() ? "" : "setp.eq.u32 %q, %index, %index; ";
                expect_instruction<Result>(prepare + text + (how.empty() ? ";" : ", %q;"), oracle, a, b);
            }
        }
    }
}

using Word = std::uint32_t;
using Small = std::uint16_t;

TEST(FloatComparisonTest, SetsWords) {
    for (const std::string type : {".u32", ".s32"}) {
        test_set<Word, Word>(type, ".f32", read_single, true, false, 0xffffffff);
        test_set<Word, std::uint64_t>(type, ".f64", read_double, false, false, 0xffffffff);
        test_set<Word, Small>(type, ".f16", read_half, true, false, 0xffffffff);
        test_set<Word, Small>(type, ".bf16", read_bfloat, false, false, 0xffffffff);
    }
}

TEST(FloatComparisonTest, SetsPairs) {
    for (const std::string type : {".u32", ".s32"}) {
        test_set<Word, Word>(type, ".f16x2", read_half, true, true, 0xffffffff);
        test_set<Word, Word>(type, ".bf16x2", read_bfloat, false, true, 0xffffffff);
    }
    test_set<Word, Word>(".f16x2", ".f16x2", read_half, true, true, 0x3c003c00);
    test_set<Word, Word>(".bf16x2", ".bf16x2", read_bfloat, false, true, 0x3f803f80);
}

TEST(FloatComparisonTest, SetsFloats) {
    test_set<Word, Word>(".f32", ".f32", read_single, true, false, 0x3f800000);
    test_set<Word, std::uint64_t>(".f32", ".f64", read_double, false, false, 0x3f800000);
    test_set<Small, Word>(".f16", ".f32", read_single, true, false, 0x3c00);
    test_set<Small, std::uint64_t>(".f16", ".f64", read_double, false, false, 0x3c00);
    test_set<Small, Small>(".f16", ".f16", read_half, true, false, 0x3c00);
    test_set<Small, Word>(".bf16", ".f32", read_single, false, false, 0x3f80);
    test_set<Small, std::uint64_t>(".bf16", ".f64", read_double, false, false, 0x3f80);
    test_set<Small, Small>(".bf16", ".f16", read_half, false, false, 0x3f80);
    test_set<Small, Small>(".bf16", ".bf16", read_bfloat, false, false, 0x3f80);
}

TEST(FloatComparisonTest, SetsSmallIntegers) {
    for (const std::string type : {".u16", ".s16"}) {
        test_set<Small, Small>(type, ".f16", read_half, true, false, 0xffff);
        test_set<Small, Small>(type, ".bf16", read_bfloat, false, false, 0xffff);
    }
}

}  // namespace
}  // namespace cubind::testing::float_comparison_tests
