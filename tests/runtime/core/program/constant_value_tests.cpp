// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Values of constants in symbols, and their conversions to types of the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "program/constant_value.hpp"
#include "program/evaluation_source.hpp"

namespace cubind::testing {
namespace {

using detail::constant_in_symbol;
using detail::ConstantType;
using detail::to_string;
using ::testing::HasSubstr;
using EvaluatedKind = EvaluatedConstant::Kind;

// Returns the value of T that represents the constant.
template <class T>
std::optional<T> as(const EvaluatedConstant& constant) {
    const auto bits = detail::converted_bits(constant, ConstantType::of<T>());
    return bits ? std::optional(detail::value_of_bits<T>(*bits)) : std::nullopt;
}

constexpr EvaluatedConstant integer(std::int64_t value) {
    return {EvaluatedKind::signed_integer, static_cast<std::uint64_t>(value)};
}
constexpr EvaluatedConstant positive(std::uint64_t value) {
    return {EvaluatedKind::unsigned_integer, value};
}
constexpr EvaluatedConstant number(double value) {
    return {EvaluatedKind::double_precision, std::bit_cast<std::uint64_t>(value)};
}
constexpr EvaluatedConstant number(float value) {
    return {EvaluatedKind::single_precision, std::bit_cast<std::uint32_t>(value)};
}

// Returns the constant in the symbol of a declaration whose template arguments have this mangled form.
std::optional<EvaluatedConstant> with_arguments(const std::string& arguments) {
    return constant_in_symbol("_Z17cubind_constant_0PN17cubind_evaluation15cubind_constantI" + arguments + "EEE");
}

TEST(ConstantValueTest, ReadsTheKindAndTheBitsInASymbol) {
    EXPECT_EQ(with_arguments("Li0ELy1"), (EvaluatedConstant{EvaluatedKind::boolean, 1}));
    EXPECT_EQ(with_arguments("Li1ELy18446744073709551613"), integer(-3));
    EXPECT_EQ(with_arguments("Li2ELy0"), positive(0));
    EXPECT_EQ(with_arguments("Li3ELy2147483648"), number(-0.0f));
    EXPECT_EQ(with_arguments("Li4ELy4591870180066957722"), number(0.1));
}

TEST(ConstantValueTest, FindsNoOtherText) {
    for (const char* arguments : {"", "Li5ELy1", "Lin1ELy1", "Li1ELx1", "Li1ELyn1", "Li1ELy18446744073709551616", "Li1ELy", "Li1",
                                  "Ly1ELi1", "Li1ELy1ELi1"}) {
        EXPECT_EQ(with_arguments(arguments), std::nullopt) << arguments;
    }
    EXPECT_EQ(constant_in_symbol(""), std::nullopt);
    EXPECT_EQ(constant_in_symbol("_Z5scaleIfEvPT_S0_"), std::nullopt);
    EXPECT_EQ(constant_in_symbol("15cubind_constantILi1ELy1EEEx"), std::nullopt);
}

TEST(ConstantValueTest, DeclaresEachExpressionAfterTheSource) {
    const std::string expressions[] = {"sizeof(A) // bytes", "f(\"x\")"};
    const std::string text = detail::evaluation_source("struct A {};", expressions);
    EXPECT_TRUE(text.starts_with("struct A {};\n"));
    EXPECT_THAT(text, HasSubstr("CUBIND_CONSTANT(" + detail::declaration_name(0) + ", (sizeof(A) // bytes\n))\n"));
    EXPECT_THAT(text, HasSubstr("#line 1 \"expression \\\"f(\\\"x\\\")\\\"\"\nCUBIND_CONSTANT(" + detail::declaration_name(1)));
}

TEST(ConstantValueTest, ConvertsIntegersWithinTheRange) {
    EXPECT_EQ(as<signed char>(integer(-128)), -128);
    EXPECT_EQ(as<signed char>(integer(-129)), std::nullopt);
    EXPECT_EQ(as<signed char>(positive(128)), std::nullopt);
    EXPECT_EQ(as<unsigned char>(integer(255)), 255);
    EXPECT_EQ(as<unsigned char>(integer(256)), std::nullopt);
    EXPECT_EQ(as<unsigned>(integer(-1)), std::nullopt);
    EXPECT_EQ(as<std::int64_t>(positive(1ull << 63)), std::nullopt);
    EXPECT_EQ(as<std::int64_t>(integer(std::numeric_limits<std::int64_t>::min())), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(as<std::uint64_t>(positive(~0ull)), ~0ull);
    EXPECT_EQ(as<bool>(positive(1)), true);
    EXPECT_EQ(as<bool>(positive(2)), std::nullopt);
    EXPECT_EQ(as<bool>(integer(-1)), std::nullopt);
    EXPECT_EQ(as<char16_t>(integer(65)), u'A');
}

TEST(ConstantValueTest, ConvertsToEnumerations) {
    enum class Small : short { minus = -2 };
    EXPECT_EQ(as<Small>(integer(-2)), Small::minus);
    EXPECT_EQ(as<Small>(integer(40000)), std::nullopt);
}

TEST(ConstantValueTest, ConvertsNumbersOnlyIfTheyRemainEqual) {
    EXPECT_EQ(as<float>(number(0.5)), 0.5f);
    EXPECT_EQ(as<float>(number(0.1)), std::nullopt);
    EXPECT_EQ(as<float>(number(1e300)), std::nullopt);
    EXPECT_EQ(as<float>(number(1e-300)), std::nullopt);
    EXPECT_EQ(as<double>(number(0.1f)), static_cast<double>(0.1f));
    EXPECT_EQ(as<double>(number(1e-45f)), static_cast<double>(1e-45f));
    EXPECT_EQ(as<float>(number(std::numeric_limits<double>::infinity())), std::numeric_limits<float>::infinity());
    EXPECT_EQ(as<int>(number(3.0)), std::nullopt);
    EXPECT_EQ(as<bool>(number(1.0f)), std::nullopt);
}

TEST(ConstantValueTest, ConvertsIntegersToNumbersExactly) {
    EXPECT_EQ(as<float>(integer(-(1 << 24))), -16777216.0f);
    EXPECT_EQ(as<float>(integer((1 << 24) + 1)), std::nullopt);
    EXPECT_EQ(as<double>(positive(~0ull)), std::nullopt);
    EXPECT_EQ(as<double>(positive(1ull << 63)), 9223372036854775808.0);
    EXPECT_EQ(as<double>(integer(std::numeric_limits<std::int64_t>::min())), -9223372036854775808.0);
    EXPECT_EQ(as<double>(EvaluatedConstant{EvaluatedKind::boolean, 1}), 1.0);
}

TEST(ConstantValueTest, RetainsThePayloadOfNans) {
    const auto bits_as = [](const EvaluatedConstant& constant, ConstantType type) {
        return detail::converted_bits(constant, type);
    };
    const EvaluatedConstant signaling = {EvaluatedKind::single_precision, 0xFF800001u};
    EXPECT_EQ(bits_as(signaling, ConstantType::of<float>()), 0xFF800001u);
    const auto wide = bits_as(signaling, ConstantType::of<double>());
    EXPECT_EQ(wide, 0xFFF0000020000000u);
    EXPECT_EQ(bits_as({EvaluatedKind::double_precision, *wide}, ConstantType::of<float>()), 0xFF800001u);
    EXPECT_EQ(bits_as({EvaluatedKind::double_precision, 0x7FF8000000000001u}, ConstantType::of<float>()), std::nullopt);
}

TEST(ConstantValueTest, NamesValuesAndTypes) {
    EXPECT_EQ(to_string(number(3.5)), "3.5 of type double");
    EXPECT_EQ(to_string(number(0.1f)), "0.100000001 of type float");
    EXPECT_EQ(to_string(integer(-7)), "-7");
    EXPECT_EQ(to_string(EvaluatedConstant{EvaluatedKind::boolean, 1}), "true");
    EXPECT_EQ(to_string(ConstantType::of<unsigned char>()), "an unsigned integer of 1 byte");
    EXPECT_EQ(to_string(ConstantType::of<double>()), "a floating-point number of 8 bytes");
    EXPECT_EQ(to_string(ConstantType::of<bool>()), "bool");
}

}  // namespace
}  // namespace cubind::testing
