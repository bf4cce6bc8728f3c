// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::half_tests {
namespace {

using Bits = std::uint16_t;

// Numbers of 16 bits with close exponents, and all special values.
std::vector<Bits> half_values(unsigned seed) {
    std::vector<Bits> values = values_for_tests<Bits>(512, seed);
    std::mt19937 random(seed);
    const Bits special[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x7bff, 0xfbff, 0x7c00, 0xfc00,
                            0x7c01, 0x7e00, 0xffff, 0x7f80, 0xff80, 0x7f81, 0x7f,   0x80,   0x3c00, 0x3f80};
    for (int i = 0; i < 7680; ++i) {
        const auto number = static_cast<unsigned>(random());
        const unsigned base = number % 3 == 0 ? 0x3000u : number % 3 == 1 ? 0x0000u : number >> 16;
        values.push_back(number % 16 == 15 ? special[number / 16 % std::size(special)]
                                           : static_cast<Bits>((base + (number >> 8) % 0x1800) ^ (number & 0x80000000) >> 16));
    }
    return values;
}

unsigned flushed(unsigned bits, SmallFormat format) {
    return format.is_subnormal(bits) ? bits & format.sign() : bits;
}

struct Case {
    std::string name;
    std::string modifiers;
    SmallFormat format;
};

// Computes a * b + c, a * b, or a + b and a - b, whose `c` is not used.
unsigned expected(const Case& test, unsigned a, unsigned b, unsigned c) {
    const SmallFormat format = test.format;
    const auto has = [&](const char* text) { return test.modifiers.find(text) != std::string::npos; };
    const bool is_sum = test.name == "add" || test.name == "sub";
    if (is_sum) c = test.name == "sub" ? b ^ format.sign() : b;
    if (has(".ftz")) a = flushed(a, format), b = flushed(b, format), c = flushed(c, format);
    const bool has_c = test.name != "mul", has_b = !is_sum;
    const auto nan = [&] { return has(".sat") ? 0u : format.nan(); };
    if (format.is_nan(a) || (has_b && format.is_nan(b)) || (has_c && format.is_nan(c))) return nan();
    const auto value = [&](unsigned bits) {
        return format.is_infinite(bits) ? std::copysign(INFINITY, format.value(bits)) : format.value(bits);
    };
    const auto product = has_b ? value(a) * value(b) : value(a);
    const LongNumber exact = has_c ? exact_sum_of(product, value(c)) : LongNumber{product, 0};
    if (std::isnan(exact.high)) return nan();
    unsigned result = 0;
    if (std::isinf(exact.high)) {
        result = (exact.high < 0 ? format.sign() : 0) | (format.largest() + 1);
    } else if (exact.high == 0) {
        result = std::signbit(exact.high) ? format.sign() : 0;
    } else {
        result = round_by_search(exact, format, 0, false);
        // A result is tiny if, rounded without a limit of the exponent, it is less than the least normal number.
        const long double least = std::ldexp(1.0L, 1 - format.bias());
        const LongNumber magnitude = exact.high < 0 ? LongNumber{-exact.high, -exact.low} : exact;
        const bool is_tiny = magnitude.compare(least * (1 - std::ldexp(1.0L, -format.fraction_bits - 2))) < 0;
        if (has(".ftz") && is_tiny) result &= format.sign();
    }
    const bool is_negative = (result & format.sign()) != 0;
    const unsigned one = static_cast<unsigned>(format.bias()) << format.fraction_bits;
    if (has(".sat")) return is_negative ? 0 : std::min(result, one);
    return has(".relu") && is_negative ? 0 : result;
}

void test(const Case& test, const std::string& type) {
    const auto a = half_values(1), b = half_values(2), c = half_values(3);
    const bool is_fma = test.name == "fma";
    const std::string text = test.name + test.modifiers + type + " %d, %a, %b";
    const auto oracle = [&](Bits x, Bits y, Bits z) { return static_cast<Bits>(expected(test, x, y, z)); };
    if (is_fma) {
        expect_instruction<Bits>(text + ", %c;", oracle, a, b, c);
    } else {
        expect_instruction<Bits>(
            text + ";", [&](Bits x, Bits y) { return oracle(x, y, 0); }, a, b);
    }
    const auto pairs = [](const std::vector<Bits>& low) {
        std::vector<std::uint32_t> both;
        for (std::size_t i = 0; i < low.size(); ++i)
            both.push_back(std::uint32_t{low[i]} | std::uint32_t{low[low.size() - 1 - i]} << 16);
        return both;
    };
    const auto pair_oracle = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        return expected(test, x & 0xffff, y & 0xffff, z & 0xffff) | expected(test, x >> 16, y >> 16, z >> 16) << 16;
    };
    const std::string pair_text = test.name + test.modifiers + type + "x2 %d, %a, %b";
    if (is_fma) {
        expect_instruction<std::uint32_t>(pair_text + ", %c;", pair_oracle, pairs(a), pairs(b), pairs(c));
    } else {
        expect_instruction<std::uint32_t>(
            pair_text + ";", [&](std::uint32_t x, std::uint32_t y) { return pair_oracle(x, y, 0); }, pairs(a), pairs(b));
    }
}

TEST(HalfArithmeticTest, RoundsSumsAndProductsOnce) {
    for (const std::string name : {"add", "sub", "mul"}) {
        for (const std::string rounding : {"", ".rn"}) {
            for (const std::string modifiers : {"", ".ftz", ".sat", ".ftz.sat"})
                test({name, rounding + modifiers, half_parts}, ".f16");
            test({name, rounding, bfloat_parts}, ".bf16");
        }
    }
}

TEST(HalfArithmeticTest, RoundsProductsWithSumsOnce) {
    for (const std::string modifiers : {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"}) {
        test({"fma", ".rn" + modifiers, half_parts}, ".f16");
    }
    for (const std::string modifiers : {"", ".relu"}) test({"fma", ".rn" + modifiers, bfloat_parts}, ".bf16");
}

// Sums close to the middle between two results, where a much smaller digit decides the rounding.
TEST(HalfArithmeticTest, RoundsSumsOfDistantNumbers) {
    const Case bfloat{"fma", ".rn", bfloat_parts};
    std::vector<Bits> a, b, c;
    std::mt19937 random(9);
    for (int i = 0; i < 8192; ++i) {
        a.push_back(static_cast<Bits>(0x4000 + random() % 0x100));
        b.push_back(static_cast<Bits>(0x4000 + random() % 0x100));
        c.push_back(static_cast<Bits>((random() % 0x4000) | (random() & 0x8000)));
    }
    expect_instruction<Bits>(
        "fma.rn.bf16 %d, %a, %b, %c;", [&](Bits x, Bits y, Bits z) { return static_cast<Bits>(expected(bfloat, x, y, z)); }, a, b,
        c);
}

}  // namespace
}  // namespace cubind::testing::half_tests
