// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "model/type.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::model::parse_type;
using gen::model::print_declaration;
using gen::model::print_type;
using gen::model::Type;

std::string unqualified(const std::string& name) {
    return name;
}
std::string in_global_namespace(const std::string& name) {
    return name == "int" ? name : "::" + name;
}

struct Printed {
    const char* text;
    const char* type_alone;
    const char* declaration;  ///< declaration of the name x
};

class TypeTextTest : public ::testing::TestWithParam<Printed> {};

TEST_P(TypeTextTest, IsParsedAndPrinted) {
    const Type type = parse_type(GetParam().text, "here");
    EXPECT_EQ(print_type(type, unqualified), GetParam().type_alone);
    EXPECT_EQ(print_declaration(type, "x", unqualified), GetParam().declaration);
}

TEST_P(TypeTextTest, IsStableAfterPrinting) {
    const std::string once = print_type(parse_type(GetParam().text, "here"), unqualified);
    EXPECT_EQ(print_type(parse_type(once, "here"), unqualified), once);
}

INSTANTIATE_TEST_SUITE_P(
    Every, TypeTextTest,
    ::testing::Values(Printed{"int", "int", "int x"}, Printed{"unsigned long long", "unsigned long long", "unsigned long long x"},
                      Printed{"toyBox *", "toyBox*", "toyBox* x"},
                      Printed{"const char *const *", "const char* const*", "const char* const* x"},
                      Printed{"char const *", "const char*", "const char* x"},
                      Printed{"volatile unsigned int *", "unsigned int*", "unsigned int* x"},
                      Printed{"void *const", "void* const", "void* const x"}, Printed{"char[16]", "char[16]", "char x[16]"},
                      Printed{"double[3][4]", "double[3][4]", "double x[3][4]"},
                      Printed{"const toyBox *[2]", "const toyBox*[2]", "const toyBox* x[2]"},
                      Printed{"void (*)(void)", "void (*)()", "void (*x)()"},
                      Printed{"const char *(*)(int, void *)", "const char* (*)(int, void*)", "const char* (*x)(int, void*)"},
                      Printed{"int (*)(void (*)(int), char[4])", "int (*)(void (*)(int), char[4])",
                              "int (*x)(void (*)(int), char[4])"}));

TEST(ParseTypeTest, ReturnsTheTree) {
    const Type type = parse_type("const toyBox *const *", "here");
    ASSERT_TRUE(type.is_pointer());
    EXPECT_FALSE(type.is_const);
    ASSERT_TRUE(type.inner->is_pointer());
    EXPECT_TRUE(type.inner->is_const);
    EXPECT_EQ(type.inner->inner->name, "toyBox");
    EXPECT_TRUE(type.inner->inner->is_const);
}

TEST(ParseTypeTest, RetainsTheOrderOfExtents) {
    const Type type = parse_type("int[4][2]", "here");
    ASSERT_EQ(type.kind, Type::Kind::array);
    EXPECT_EQ(type.extent, 4);
    EXPECT_EQ(type.inner->extent, 2);
}

TEST(ParseTypeTest, RecognizesFunctionPointers) {
    EXPECT_TRUE(parse_type("int (*)(int)", "here").is_function_pointer());
    EXPECT_FALSE(parse_type("int *", "here").is_function_pointer());
    EXPECT_EQ(parse_type("int (*)(int, char *)", "here").inner->arguments.size(), 2U);
    EXPECT_TRUE(parse_type("void (*)(void)", "here").inner->arguments.empty());
}

class InvalidTypeTest : public ::testing::TestWithParam<const char*> {};

TEST_P(InvalidTypeTest, IsRejectedWithPlaceAndText) {
    const std::string message = input_error_of([] { parse_type(GetParam(), "api.json: functions/toyOpen"); });
    expect_contains(message, "api.json: functions/toyOpen: ");
    expect_contains(message, std::string("\"") + GetParam() + "\"");
}

INSTANTIATE_TEST_SUITE_P(Every, InvalidTypeTest,
                         ::testing::Values("", "*", "const", "int &", "int[", "int[n]", "int (*)(int", "int (int)", "int) x",
                                           "std::vector<int>", "int, int"));

TEST(ParseTypeTest, RejectsExcessiveNestingAndExtents) {
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        while (times-- > 0) all += text;
        return all;
    };
    for (const auto& text : {"int" + repeated("[1]", 101), "int " + repeated("*", 100000), repeated("int (*)(", 100000),
                             std::string("char[4294967297]"), std::string("char[99999999999999999999]")}) {
        expect_contains(input_error_of([&] { parse_type(text, "here"); }), "cannot be parsed");
    }
    EXPECT_EQ(parse_type("char[4294967296]", "here").extent, std::int64_t{1} << 32);
}

TEST(ParseTypeTest, NamesTheCharacterOfTheError) {
    expect_contains(input_error_of([] { parse_type("int &", "here"); }), "character 5");
}

TEST(ForEachNameTest, ReportsTypesThatMustBeDefined) {
    std::vector<std::pair<std::string, bool>> names;
    const auto add_name = [&](const std::string& name, bool by_value) { names.emplace_back(name, by_value); };
    for_each_name(parse_type("toyCell[4]", "here"), add_name);
    for_each_name(parse_type("toyBox *", "here"), add_name);
    for_each_name(parse_type("toyStatus (*)(toySize, void *)", "here"), add_name);
    const std::vector<std::pair<std::string, bool>> expected = {
        {"toyCell", true}, {"toyBox", false}, {"toyStatus", false}, {"toySize", false}, {"void", false}};
    EXPECT_EQ(names, expected);
}

TEST(PrintTypeTest, QualifiesEveryName) {
    EXPECT_EQ(print_type(parse_type("size_t (*)(const size_t *, int)", "here"), in_global_namespace),
              "::size_t (*)(const ::size_t*, int)");
}

TEST(PrintTypeTest, DeclaresWithoutAName) {
    EXPECT_EQ(print_declaration(parse_type("char *", "here"), "", unqualified), "char*");
}

}  // namespace
}  // namespace cubind::testing
