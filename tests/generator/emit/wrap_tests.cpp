// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "emit/wrap.hpp"

namespace cubind::testing {
namespace {

using gen::emit::max_columns;
using gen::emit::wrap_lines;

std::string repeat(const std::string& text, int times) {
    std::string repeated;
    for (int time = 0; time < times; ++time) repeated += text;
    return repeated;
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) longest = std::max(longest, line.size());
    return longest;
}

/// Returns the text without line breaks and the blanks around them.
std::string without_breaks(const std::string& text) {
    std::string joint;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        line.erase(0, line.find_first_not_of(' '));
        joint += (joint.empty() || joint.ends_with('(') || joint.ends_with('{') ? "" : " ") + line;
    }
    return joint;
}

/// Expects that the line is broken into `lines` and nothing else changes.
void expect_broken(const std::string& line, const std::string& lines) {
    ASSERT_GT(line.size(), max_columns);
    EXPECT_EQ(wrap_lines(line + "\n"), lines);
    EXPECT_LE(longest_line(lines), max_columns);
}

TEST(WrapLinesTest, KeepsShortLines) {
    const std::string text = "#pragma once\n\nint function(int a,   int b);\n" + std::string(max_columns, 'x') + "\n";
    EXPECT_EQ(wrap_lines(text), text);
    EXPECT_EQ(wrap_lines(""), "");
}

TEST(WrapLinesTest, KeepsPreprocessorLines) {
    const std::string text = "#if " + repeat("defined(MACRO) && ", 10) + "1\n";
    EXPECT_EQ(wrap_lines(text), text);
}

TEST(WrapLinesTest, KeepsAWordThatCannotBeBroken) {
    const std::string text = "    " + std::string(200, 'x') + ";\n";
    EXPECT_EQ(wrap_lines(text), text);
}

TEST(WrapLinesTest, AlignsParameters) {
    expect_broken("Result<Status, Value> function(" + repeat("unsigned int parameter, ", 4) + "int last) noexcept;",
                  "Result<Status, Value> function(unsigned int parameter, unsigned int parameter, unsigned int parameter, "
                  "unsigned int parameter,\n                               int last) noexcept;\n");
}

TEST(WrapLinesTest, IndentsParametersWhereThatTakesFewerLines) {
    const std::string name = "Result<Status> " + std::string(70, 'f') + "(";
    expect_broken(name + repeat("unsigned int parameter, ", 4) + "int last) {",
                  name + "\n    " + repeat("unsigned int parameter, ", 4) + "int last) {\n");
}

TEST(WrapLinesTest, BreaksAfterAnAssignmentBeforeTemplateArguments) {
    const std::string call = "call<Status(" + repeat("unsigned int, ", 5) + "int)>(entry_points::function, a, b)";
    expect_broken("    result_.status_of_the_call = " + call + ";", "    result_.status_of_the_call =\n        " + call + ";\n");
}

TEST(WrapLinesTest, BreaksBetweenOperands) {
    const std::string operand = "offsetof(" + std::string(30, 'r') + ", " + std::string(30, 'f') + ")";
    expect_broken("static_assert(" + operand + " == " + operand + ");",
                  "static_assert(" + operand + " ==\n              " + operand + ");\n");
}

TEST(WrapLinesTest, PutsTheBodyOfAFunctionOnASeparateLine) {
    const std::string head = "    bool " + std::string(60, 'f') + "() const noexcept {";
    const std::string body = "return " + std::string(50, 'g') + "(argument, 1) != 0;";
    expect_broken(head + " " + body + " }", head + "\n        " + body + "\n    }\n");
}

TEST(WrapLinesTest, DoesNotBreakAtCommasInText) {
    const std::string text = "\"" + repeat("a, ", 28) + "\"";
    expect_broken("    {.name = \"first\", .size = 8, .text = " + text + ", .number = 1, .other = 2},",
                  "    {.name = \"first\", .size = 8, .text = " + text + ",\n     .number = 1, .other = 2},\n");
}

TEST(WrapLinesTest, SplitsTextThatIsTooLong) {
    const std::string wrapped = wrap_lines("        case TOY_OK: return \"" + repeat("word ", 50) + "end.\";\n");
    EXPECT_LE(longest_line(wrapped), max_columns);
    EXPECT_EQ(wrapped.substr(0, wrapped.find('\n')), "        case TOY_OK:");
    std::string text;
    for (std::size_t at = wrapped.find('"'); at != std::string::npos; at = wrapped.find('"', at + 1)) {
        const std::size_t end = wrapped.find('"', at + 1);
        text += wrapped.substr(at + 1, end - at - 1);
        at = end;
    }
    EXPECT_EQ(text, repeat("word ", 50) + "end.");
}

TEST(WrapLinesTest, BreaksCommentsBetweenWords) {
    const std::string wrapped = wrap_lines("    /// " + repeat("word ", 40) + "end\n");
    EXPECT_LE(longest_line(wrapped), max_columns);
    std::istringstream stream(wrapped);
    std::size_t lines = 0;
    for (std::string line; std::getline(stream, line); ++lines) EXPECT_TRUE(line.starts_with("    /// word")) << line;
    EXPECT_EQ(lines, 2U);
}

TEST(WrapLinesTest, KeepsEveryToken) {
    for (int parameters = 1; parameters < 40; ++parameters) {
        const std::string line = "Result<Status, std::array<int, 2>> function(" + repeat("const Type<A, B>* name, ", parameters) +
                                 "int (*callback)(void*, int)) noexcept;";
        const std::string wrapped = wrap_lines(line + "\n");
        EXPECT_LE(longest_line(wrapped), max_columns);
        EXPECT_EQ(without_breaks(wrapped), line);
    }
}

}  // namespace
}  // namespace cubind::testing
