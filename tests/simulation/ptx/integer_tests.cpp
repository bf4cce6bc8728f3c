// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "bit_oracle.hpp"

namespace cubind::testing::integer_tests {
namespace {

using namespace oracle;

// Instructions with two or three sources of the same type as the result.
template <class Type, class Oracle>
void expect_two(const std::string& name, Oracle model) {
    expect_instruction_for_all<Type, Type, Type>(name + " %d, %a, %b;",
                                                 [model](Type a, Type b) { return cut<Type>(model(extend(a), extend(b))); });
}
template <class Type, class Oracle>
void expect_three(const std::string& name, Oracle model) {
    expect_instruction_for_all<Type, Type, Type, Type>(
        name + " %d, %a, %b, %c;", [model](Type a, Type b, Type c) { return cut<Type>(model(extend(a), extend(b), extend(c))); });
}

// The same for the halves of registers of 32 bits.
template <class Half, class Oracle>
void expect_halves(const std::string& name, Oracle model) {
    expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
        name + " %d, %a, %b;", [model](std::uint32_t a, std::uint32_t b) {
            const auto half = [&](int begin) {
                return cut<std::uint16_t>(model(extend(cut<Half>(a, begin)), extend(cut<Half>(b, begin))));
            };
            return cut<std::uint32_t>(extend(half(0)) | extend(half(16)) << 16);
        });
}

Number least(Number a, Number b) {
    return is_less(b, a) ? b : a;
}
Number greatest(Number a, Number b) {
    return is_less(a, b) ? b : a;
}
Number positive(Number a) {
    return is_negative(a) ? 0 : a;
}

TEST(IntegerInstructionTest, AddsAndSubtracts) {
    for_integers([]<class Type>() {
        expect_two<Type>("add" + type_name<Type>(), [](Number a, Number b) { return oracle::add(a, b); });
        expect_two<Type>("sub" + type_name<Type>(), subtract);
    });
    expect_halves<std::uint16_t>("add.u16x2", [](Number a, Number b) { return oracle::add(a, b); });
    expect_halves<std::int16_t>("add.s16x2", [](Number a, Number b) { return oracle::add(a, b); });
}

TEST(IntegerInstructionTest, Saturates) {
    using Int = std::int32_t;
    expect_two<Int>("add.sat.s32", [](Number a, Number b) { return extend(saturate(oracle::add(a, b))); });
    expect_two<Int>("sub.sat.s32", [](Number a, Number b) { return extend(saturate(subtract(a, b))); });
    expect_three<Int>("mad.hi.sat.s32", [](Number a, Number b, Number c) {
        return extend(saturate(oracle::add(extend(cut<Int>(multiply(a, b), 32)), c)));
    });
}

TEST(IntegerInstructionTest, NegatesAndTakesMagnitudes) {
    for_types<std::int16_t, std::int32_t, std::int64_t>([]<class Type>() {
        expect_instruction_for_all<Type, Type>("neg" + type_name<Type>() + " %d, %a;",
                                               [](Type a) { return cut<Type>(negate(extend(a))); });
        expect_instruction_for_all<Type, Type>("abs" + type_name<Type>() + " %d, %a;",
                                               [](Type a) { return cut<Type>(magnitude(extend(a))); });
    });
}

TEST(IntegerInstructionTest, AddsAbsoluteDifferences) {
    for_integers([]<class Type>() {
        expect_three<Type>("sad" + type_name<Type>(),
                           [](Number a, Number b, Number c) { return oracle::add(c, magnitude(subtract(a, b))); });
    });
}

TEST(IntegerInstructionTest, FindsMinimaAndMaxima) {
    for_integers([]<class Type>() {
        expect_two<Type>("min" + type_name<Type>(), least);
        expect_two<Type>("max" + type_name<Type>(), greatest);
    });
    expect_halves<std::uint16_t>("min.u16x2", least);
    expect_halves<std::uint16_t>("max.u16x2", greatest);
    expect_halves<std::int16_t>("min.s16x2", least);
    expect_halves<std::int16_t>("max.s16x2", greatest);
    expect_two<std::int32_t>("min.relu.s32", [](Number a, Number b) { return positive(least(a, b)); });
    expect_two<std::int32_t>("max.relu.s32", [](Number a, Number b) { return positive(greatest(a, b)); });
    expect_halves<std::int16_t>("min.relu.s16x2", [](Number a, Number b) { return positive(least(a, b)); });
    expect_halves<std::int16_t>("max.relu.s16x2", [](Number a, Number b) { return positive(greatest(a, b)); });
}

TEST(IntegerInstructionTest, Multiplies) {
    for_integers([]<class Type>() {
        constexpr int width = 8 * sizeof(Type);
        const std::string type = type_name<Type>();
        expect_two<Type>("mul.lo" + type, multiply);
        expect_two<Type>("mul.hi" + type, [](Number a, Number b) { return multiply(a, b) >> width; });
        expect_three<Type>("mad.lo" + type, [](Number a, Number b, Number c) { return oracle::add(multiply(a, b), c); });
        expect_three<Type>("mad.hi" + type, [](Number a, Number b, Number c) { return oracle::add(multiply(a, b) >> width, c); });
    });
}

template <class Type, class Wide>
void expect_wide_products() {
    const std::string type = type_name<Type>();
    expect_instruction_for_all<Wide, Type, Type>("mul.wide" + type + " %d, %a, %b;",
                                                 [](Type a, Type b) { return cut<Wide>(multiply(extend(a), extend(b))); });
    expect_instruction_for_all<Wide, Type, Type, Wide>("mad.wide" + type + " %d, %a, %b, %c;", [](Type a, Type b, Wide c) {
        return cut<Wide>(oracle::add(multiply(extend(a), extend(b)), extend(c)));
    });
}

TEST(IntegerInstructionTest, MultipliesToTwiceTheWidth) {
    expect_wide_products<std::uint16_t, std::uint32_t>();
    expect_wide_products<std::int16_t, std::int32_t>();
    expect_wide_products<std::uint32_t, std::uint64_t>();
    expect_wide_products<std::int32_t, std::int64_t>();
}

TEST(IntegerInstructionTest, MultipliesNumbersOf24Bits) {
    for_types<std::uint32_t, std::int32_t>([]<class Type>() {
        const auto product = [](Number a, Number b) {
            const auto low = [](Number value) {
                Number result = 0;
                for (int i = 0; i < number_bits; ++i) {
                    const bool is_set = i < 24 ? bit(value, i) : std::is_signed_v<Type> && bit(value, 23);
                    result |= from_bit(is_set, i);
                }
                return result;
            };
            return multiply(low(a), low(b));
        };
        const std::string type = type_name<Type>();
        expect_two<Type>("mul24.lo" + type, product);
        expect_two<Type>("mul24.hi" + type, [product](Number a, Number b) { return product(a, b) >> 16; });
        expect_three<Type>("mad24.lo" + type, [product](Number a, Number b, Number c) { return oracle::add(product(a, b), c); });
        expect_three<Type>("mad24.hi" + type,
                           [product](Number a, Number b, Number c) { return oracle::add(product(a, b) >> 16, c); });
        if (std::is_signed_v<Type>) {
            expect_three<Type>("mad24.hi.sat" + type, [product](Number a, Number b, Number c) {
                return extend(saturate(oracle::add(extend(cut<std::int32_t>(product(a, b) >> 16)), c)));
            });
        }
    });
}

TEST(IntegerInstructionTest, Divides) {
    for_integers([]<class Type>() {
        const auto all_ones = static_cast<Type>(-1);
        expect_instruction_for_all<Type, Type, Type>("div" + type_name<Type>() + " %d, %a, %b;", [=](Type a, Type b) {
            return b == 0 ? all_ones : cut<Type>(Division(extend(a), extend(b)).quotient);
        });
        expect_instruction_for_all<Type, Type, Type>("rem" + type_name<Type>() + " %d, %a, %b;", [=](Type a, Type b) {
            return b == 0 ? all_ones : cut<Type>(Division(extend(a), extend(b)).remainder);
        });
    });
}

// Every quotient that is nearly the next number, where a division of rounded numbers would fail first.
TEST(IntegerInstructionTest, DividesNumbersNextToMultiples) {
    std::vector<std::int32_t> dividends;
    std::vector<std::int32_t> divisors;
    std::mt19937 random(7);
    for (int i = 0; i < 4000; ++i) {
        const auto divisor = static_cast<std::int32_t>((random() >> (random() % 31)) | 1);
        const std::int64_t multiple = std::int64_t{divisor} * static_cast<std::int32_t>(random() >> (random() % 31));
        dividends.push_back(static_cast<std::int32_t>(multiple + static_cast<int>(random() % 3) - 1));
        divisors.push_back(divisor);
    }
    expect_instruction<std::int32_t>(
        "div.s32 %d, %a, %b;",
        [](std::int32_t a, std::int32_t b) { return cut<std::int32_t>(Division(extend(a), extend(b)).quotient); }, dividends,
        divisors);
    expect_instruction<std::int32_t>(
        "rem.s32 %d, %a, %b;",
        [](std::int32_t a, std::int32_t b) { return cut<std::int32_t>(Division(extend(a), extend(b)).remainder); }, dividends,
        divisors);
}

template <class First, class Second, class Word>
Number dot_product(std::uint32_t a, std::uint32_t b, Word c, int count, int begin) {
    Number sum = extend(c);
    for (int i = 0; i < count; ++i) {
        const Number x = extend(cut<First>(a, i * static_cast<int>(8 * sizeof(First))));
        const Number y = extend(cut<Second>(b, 8 * (begin + i)));
        sum = oracle::add(sum, multiply(x, y));
    }
    return sum;
}

template <bool is_first_signed, bool is_second_signed>
void expect_dot_products() {
    using Word = std::uint32_t;
    using Half = std::conditional_t<is_first_signed, std::int16_t, std::uint16_t>;
    using FirstByte = std::conditional_t<is_first_signed, std::int8_t, std::uint8_t>;
    using SecondByte = std::conditional_t<is_second_signed, std::int8_t, std::uint8_t>;
    const std::string types = std::string(is_first_signed ? ".s32" : ".u32") + (is_second_signed ? ".s32" : ".u32");
    expect_instruction_for_all<Word, Word, Word, Word>("dp4a" + types + " %d, %a, %b, %c;", [](Word a, Word b, Word c) {
        return cut<Word>(dot_product<FirstByte, SecondByte>(a, b, c, 4, 0));
    });
    expect_instruction_for_all<Word, Word, Word, Word>("dp2a.lo" + types + " %d, %a, %b, %c;", [](Word a, Word b, Word c) {
        return cut<Word>(dot_product<Half, SecondByte>(a, b, c, 2, 0));
    });
    expect_instruction_for_all<Word, Word, Word, Word>("dp2a.hi" + types + " %d, %a, %b, %c;", [](Word a, Word b, Word c) {
        return cut<Word>(dot_product<Half, SecondByte>(a, b, c, 2, 2));
    });
}

TEST(IntegerInstructionTest, AddsDotProducts) {
    expect_dot_products<false, false>();
    expect_dot_products<false, true>();
    expect_dot_products<true, false>();
    expect_dot_products<true, true>();
}

TEST(IntegerInstructionTest, WritesToASource) {
    expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
        "mov.b32 %d, %a; mad.lo.u32 %d, %d, %d, %b; sub.u32 %d, %b, %d;",
        [](std::uint32_t a, std::uint32_t) { return cut<std::uint32_t>(negate(multiply(extend(a), extend(a)))); });
}

TEST(IntegerInstructionTest, UsesNumbersAsSources) {
    expect_instruction_for_all<std::int32_t, std::int32_t>(
        "max.s32 %d, %a, -7;", [](std::int32_t a) { return cut<std::int32_t>(greatest(extend(a), negate(Number{7}))); });
    expect_instruction_for_all<std::uint64_t, std::uint32_t>("mad.wide.u32 %d, %a, 5, 0xfffffffffffffff0;", [](std::uint32_t a) {
        return cut<std::uint64_t>(subtract(multiply(extend(a), 5), 16));
    });
}

}  // namespace
}  // namespace cubind::testing::integer_tests
