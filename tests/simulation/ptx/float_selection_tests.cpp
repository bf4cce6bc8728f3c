// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::float_selection_tests {
namespace {

/// A floating-point type. `nan` is the result for NaN; 0 if the result is the second source made quiet, as for double.
template <class Bits>
struct Type {
    std::string name;
    int fraction_bits;
    Bits nan;
};

const Type<std::uint16_t> half{".f16", 10, 0x7fff};
const Type<std::uint16_t> bfloat{".bf16", 7, 0x7fff};
const Type<std::uint32_t> single{".f32", 23, 0x7fffffff};
const Type<std::uint64_t> double_type{".f64", 52, 0};

template <class Bits>
constexpr Bits sign_of = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));

template <class Bits>
long double value_of(Bits bits, const Type<Bits>& type) {
    if constexpr (sizeof(Bits) == 4) return std::bit_cast<float>(bits);
    if constexpr (sizeof(Bits) == 8) return std::bit_cast<double>(bits);
    if constexpr (sizeof(Bits) == 2) {
        const SmallFormat format = type.fraction_bits == 10 ? half_parts : bfloat_parts;
        return format.is_nan(bits) ? NAN : format.value(bits);
    }
}

template <class Bits>
Bits flushed(Bits bits, const Type<Bits>& type) {
    const Bits magnitude = static_cast<Bits>(bits & static_cast<Bits>(~sign_of<Bits>));
    return magnitude >> type.fraction_bits == 0 ? static_cast<Bits>(bits - magnitude) : bits;
}

template <class Bits>
Bits extreme(Bits a, Bits b, const Type<Bits>& type, bool is_maximum, const std::string& modifiers) {
    const auto has = [&](const char* text) { return modifiers.find(text) != std::string::npos; };
    if (has(".ftz")) a = flushed(a, type), b = flushed(b, type);
    const auto sign = static_cast<Bits>((a ^ b) & sign_of<Bits>);
    if (has(".abs")) a = static_cast<Bits>(a & ~sign_of<Bits>), b = static_cast<Bits>(b & ~sign_of<Bits>);
    const long double x = value_of(a, type), y = value_of(b, type);
    Bits result = a;
    if (std::isnan(x) || std::isnan(y)) {
        const bool is_nan = has(".NaN") || (std::isnan(x) && std::isnan(y));
        if (is_nan) return type.nan != 0 ? type.nan : static_cast<Bits>(b | Bits{1} << (type.fraction_bits - 1));
        result = std::isnan(x) ? b : a;
    } else if (x == y) {
        const bool takes_negative = !is_maximum;
        result = ((a & sign_of<Bits>) != 0) == takes_negative ? a : b;
    } else {
        result = (x < y) != is_maximum ? a : b;
    }
    return has(".xorsign") ? static_cast<Bits>(result | sign) : result;
}

template <class Bits>
std::vector<Bits> bits_for_tests(unsigned seed, const Type<Bits>& type) {
    std::vector<Bits> values = values_for_tests<Bits>(2048, seed);
    const Bits infinity = static_cast<Bits>(static_cast<Bits>(~sign_of<Bits>) >> type.fraction_bits << type.fraction_bits);
    std::mt19937 random(seed);
    for (int i = 0; i < 1024; ++i) {
        const Bits near[] = {infinity, 0, static_cast<Bits>(Bits{1} << type.fraction_bits)};
        const auto bits = static_cast<Bits>(near[random() % 3] + random() % 5 - 2);
        values.push_back(static_cast<Bits>(bits | (random() % 2 != 0 ? sign_of<Bits> : 0)));
    }
    return values;
}

template <class Bits>
void test_extremes(const Type<Bits>& type, const std::vector<std::string>& modifiers) {
    const auto a = bits_for_tests(1, type), b = bits_for_tests(2, type);
    for (const bool is_maximum : {false, true}) {
        for (const std::string& each : modifiers) {
            const std::string name = (is_maximum ? "max" : "min") + each + type.name;
            const auto oracle = [&](Bits x, Bits y) { return extreme(x, y, type, is_maximum, each); };
            expect_instruction<Bits>(name + " %d, %a, %b;", oracle, a, b);
            if constexpr (sizeof(Bits) == 2) {
                expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
                    name + "x2 %d, %a, %b;", [&](std::uint32_t x, std::uint32_t y) {
                        const std::uint32_t low = oracle(static_cast<Bits>(x), static_cast<Bits>(y));
                        return low | std::uint32_t{oracle(static_cast<Bits>(x >> 16), static_cast<Bits>(y >> 16))} << 16;
                    });
            }
        }
    }
}

TEST(FloatSelectionTest, ComputesMinimumAndMaximum) {
    const std::vector<std::string> all = {
        "", ".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs", ".ftz.xorsign.abs", ".NaN.xorsign.abs", ".ftz.NaN.xorsign.abs"};
    test_extremes(single, all);
    test_extremes(half, all);
    test_extremes(bfloat, {"", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"});
    test_extremes(double_type, {""});
}

template <class Bits>
Bits with_sign(Bits bits, const Type<Bits>& type, bool is_negation, bool flushes) {
    if (flushes) bits = flushed(bits, type);
    const bool is_nan = std::isnan(value_of(bits, type));
    if (is_nan) return type.nan != 0 ? type.nan : static_cast<Bits>(bits | Bits{1} << (type.fraction_bits - 1));
    return is_negation ? static_cast<Bits>(bits + sign_of<Bits>) : static_cast<Bits>(bits & static_cast<Bits>(~sign_of<Bits>));
}

template <class Bits>
void test_signs(const Type<Bits>& type, bool may_flush) {
    for (const bool is_negation : {false, true}) {
        for (const bool flushes : {false, true}) {
            if (flushes && !may_flush) continue;
            const std::string name = std::string(is_negation ? "neg" : "abs") + (flushes ? ".ftz" : "") + type.name;
            const auto oracle = [&](Bits x) { return with_sign(x, type, is_negation, flushes); };
            expect_instruction<Bits>(name + " %d, %a;", oracle, bits_for_tests(1, type));
            if constexpr (sizeof(Bits) == 2) {
                expect_instruction_for_all<std::uint32_t, std::uint32_t>(name + "x2 %d, %a;", [&](std::uint32_t x) {
                    return std::uint32_t{oracle(static_cast<Bits>(x))} | std::uint32_t{oracle(static_cast<Bits>(x >> 16))} << 16;
                });
            }
        }
    }
}

TEST(FloatSelectionTest, ChangesSigns) {
    test_signs(single, true);
    test_signs(half, true);
    test_signs(bfloat, false);
    test_signs(double_type, false);
}

TEST(FloatSelectionTest, CopiesSigns) {
    expect_instruction_for_all<float, float, float>("copysign.f32 %d, %a, %b;",
                                                    [](float a, float b) { return std::copysign(b, a); });
    expect_instruction_for_all<double, double, double>("copysign.f64 %d, %a, %b;",
                                                       [](double a, double b) { return std::copysign(b, a); });
}

template <class Value>
void test_properties(const std::string& type) {
    const std::pair<std::string, bool (*)(int)> properties[] = {
        {".finite", [](int c) { return c != FP_NAN && c != FP_INFINITE; }},
        {".infinite", [](int c) { return c == FP_INFINITE; }},
        {".number", [](int c) { return c != FP_NAN; }},
        {".notanumber", [](int c) { return c == FP_NAN; }},
        {".normal", [](int c) { return c == FP_NORMAL || c == FP_ZERO; }},
        {".subnormal", [](int c) { return c == FP_SUBNORMAL; }},
    };
    for (const auto& [name, test] : properties) {
        expect_instruction_for_all<std::uint32_t, Value>("testp" + name + type + " %p, %a; selp.u32 %d, 7, 8, %p;",
                                                         [test = test](Value a) { return test(std::fpclassify(a)) ? 7u : 8u; });
    }
}

TEST(FloatSelectionTest, TestsProperties) {
    test_properties<float>(".f32");
    test_properties<double>(".f64");
}

}  // namespace
}  // namespace cubind::testing::float_selection_tests
