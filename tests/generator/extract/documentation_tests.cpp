// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "extract/documentation.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::extract::find_comment;
using gen::extract::GroupMap;
using gen::extract::HeaderText;
using gen::extract::parameter_directions;
using gen::extract::stated_group;
using Directions = std::map<std::string, std::string>;

TEST(HeaderTextTest, ReturnsLinesByNumber) {
    const HeaderText text("one\n\nthree");
    EXPECT_EQ(text.line_count(), 3U);
    EXPECT_EQ(text.line(1), "one");
    EXPECT_EQ(text.line(2), "");
    EXPECT_EQ(text.line(3), "three");
    EXPECT_EQ(text.line(0), "");
    EXPECT_EQ(text.line(4), "");
}

TEST(FindCommentTest, FindsTheCommentDirectlyAbove) {
    EXPECT_EQ(find_comment(HeaderText("/** one */\nint f();\n"), 2), "/** one */");
}

TEST(FindCommentTest, FindsNothingAboveTheFirstLine) {
    EXPECT_EQ(find_comment(HeaderText("/** one */\nint f();\n"), 1), "");
    EXPECT_EQ(find_comment(HeaderText("/** one */\nint f();\n"), 0), "");
}

TEST(FindCommentTest, ReturnsAllLinesOfTheComment) {
    EXPECT_EQ(find_comment(HeaderText("int e();\n/**\n * two\n */\nint f();\n"), 5), "/**\n * two\n */");
}

TEST(FindCommentTest, SkipsBlankAndPreprocessorLines) {
    EXPECT_EQ(find_comment(HeaderText("/** one */\n\n#if defined(A)\n  # define B\nint f();\n"), 5), "/** one */");
}

TEST(FindCommentTest, AcceptsWindowsLineEndings) {
    EXPECT_EQ(find_comment(HeaderText("/** one */\r\n\r\nint f();\r\n"), 3), "/** one */\r");
}

TEST(FindCommentTest, FindsNothingBehindAnotherDeclaration) {
    EXPECT_EQ(find_comment(HeaderText("/** one */\nint e();\nint f();\n"), 3), "");
}

TEST(FindCommentTest, FindsNothingWithoutAComment) {
    EXPECT_EQ(find_comment(HeaderText("int f();\n"), 1), "");
    EXPECT_EQ(find_comment(HeaderText("\n\n#if A\nint f();\n"), 4), "");
    EXPECT_EQ(find_comment(HeaderText("stray */\nint f();\n"), 2), "");
}

TEST(FindCommentTest, AcceptsACommentThatMentionsAnOpeningMark) {
    const std::string text = "/**\n * \\param[out] box Where.\n * Files match src/*.cu here.\n */\nint f();\n";
    EXPECT_EQ(parameter_directions(find_comment(HeaderText(text), 5)), (Directions{{"box", "out"}}));
}

TEST(ParameterDirectionsTest, ReadsEverySpelling) {
    EXPECT_EQ(parameter_directions("\\param[in] a x\n@param[out] b y\n\\param [in,out] c\n\\param[ out ]d\n\\param[inout] e"),
              (Directions{{"a", "in"}, {"b", "out"}, {"c", "inout"}, {"d", "out"}, {"e", "inout"}}));
}

TEST(ParameterDirectionsTest, IgnoresParametersWithoutATag) {
    EXPECT_EQ(parameter_directions("\\param a no tag\n\\params[out] b\nparam[out] c\n\\param[] d\n\\param[out]"), Directions());
}

TEST(ParameterDirectionsTest, StopsAtAnUnclosedTag) {
    EXPECT_EQ(parameter_directions("\\param[in] a\n\\param[out b"), (Directions{{"a", "in"}}));
}

TEST(StatedGroupTest, ReturnsTheWordAfterIngroup) {
    EXPECT_EQ(stated_group("/** \\ingroup TOY_BOX and more */"), "TOY_BOX");
    EXPECT_EQ(stated_group("/** @ingroup TOY_BOX */"), "TOY_BOX");
    EXPECT_EQ(stated_group("/** \\addtogroup TOY_BOX */"), "");
    EXPECT_EQ(stated_group("/** ingroup TOY_BOX */"), "");
}

TEST(GroupMapTest, IsEmptyOutsideOfGroups) {
    const GroupMap groups{HeaderText("int e();\n/** \\defgroup A a */\nint f();\n")};
    EXPECT_EQ(groups.group_at(1), "");
    EXPECT_EQ(groups.group_at(3), "") << "defined, but not opened";
}

TEST(GroupMapTest, OpensAndClosesAGroup) {
    const GroupMap groups{HeaderText("/** \\defgroup A a\n *  @{ */\nint e();\n/** @} */\nint f();\n")};
    EXPECT_EQ(groups.group_at(1), "");
    EXPECT_EQ(groups.group_at(3), "A");
    EXPECT_EQ(groups.group_at(5), "");
    EXPECT_EQ(groups.group_at(5000), "");
}

TEST(GroupMapTest, NestsGroups) {
    const GroupMap groups{
        HeaderText("/** \\defgroup A a @{ */\n/** @defgroup B b \\{ */\nint e();\n/** \\} */\nint f();\n/** @} */\n\n")};
    EXPECT_EQ(groups.group_at(1), "A");
    EXPECT_EQ(groups.group_at(3), "B");
    EXPECT_EQ(groups.group_at(5), "A");
    EXPECT_EQ(groups.group_at(7), "");
}

TEST(GroupMapTest, ContinuesTheOuterGroupInAnUnnamedOne) {
    const GroupMap groups{
        HeaderText("/** \\addtogroup A @{ */\n/** @{ */\nint e();\n/** @} */\nint f();\n/** @} */\nint g();\n")};
    EXPECT_EQ(groups.group_at(3), "A");
    EXPECT_EQ(groups.group_at(5), "A");
    EXPECT_EQ(groups.group_at(7), "");
}

TEST(GroupMapTest, BeginsASectionAtACommentWithItsText) {
    const GroupMap groups{HeaderText("int e();\n/* ---- Level 1 ---- */\nint f();\n  /*== Level 2 {{{ ==*/\nint g();\n"),
                          {{"Level 1", "ONE"}, {"Level 2", "TWO"}}};
    EXPECT_EQ(groups.group_at(1), "");
    EXPECT_EQ(groups.group_at(3), "ONE");
    EXPECT_EQ(groups.group_at(5), "TWO");
}

TEST(GroupMapTest, BeginsASectionAtALineCommentWithItsText) {
    const GroupMap groups{
        HeaderText("//####\n//# Level 1\n//####\nint e();\n  // # Level 2 (sparse)\nint f();\n// Level 1 -----\nint g();\n"),
        {{"Level 1", "ONE"}, {"Level 2 (sparse)", "TWO"}}};
    EXPECT_EQ(groups.group_at(1), "");
    EXPECT_EQ(groups.group_at(4), "ONE");
    EXPECT_EQ(groups.group_at(6), "TWO");
    EXPECT_EQ(groups.group_at(8), "ONE");
}

TEST(GroupMapTest, BeginsNoSectionAtALineWithOtherText) {
    const GroupMap groups{HeaderText("/* Level 1 and 2 */\nint e();\nint f(); /* Level 1 */\n/* Level 1 */ int g();\n"
                                     "/* Level 1 */ /* more */\n/* Level 1\n*/\n\n// A Level 1\nint h();  // # Level 1\n"),
                          {{"Level 1", "ONE"}}};
    for (unsigned line = 1; line <= 10; ++line) EXPECT_EQ(groups.group_at(line), "") << line;
}

TEST(GroupMapTest, PrefersGroupsToSections) {
    const GroupMap groups{HeaderText("/* One */\nint e();\n/** \\defgroup A @{ */\n/* Two */\nint f();\n/** @} */\nint g();\n"),
                          {{"One", "ONE"}, {"Two", "TWO"}}};
    EXPECT_EQ(groups.group_at(2), "ONE");
    EXPECT_EQ(groups.group_at(5), "A");
    EXPECT_EQ(groups.group_at(7), "TWO");
}

TEST(GroupMapTest, BeginsWithTheGroupOfTheHeader) {
    const GroupMap groups{HeaderText("int e();\n/** \\defgroup A @{ */\nint f();\n/** @} */\nint g();\n/* One */\nint h();\n"),
                          {{"One", "ONE"}},
                          "ALL"};
    EXPECT_EQ(groups.group_at(1), "ALL");
    EXPECT_EQ(groups.group_at(3), "A");
    EXPECT_EQ(groups.group_at(5), "ALL");
    EXPECT_EQ(groups.group_at(7), "ONE");
}

TEST(GroupMapTest, IgnoresAnExtraClosingMark) {
    const GroupMap groups{HeaderText("/** @} */\n/** \\defgroup A @{ */\nint e();\n")};
    EXPECT_EQ(groups.group_at(1), "");
    EXPECT_EQ(groups.group_at(3), "A");
}

}  // namespace
}  // namespace cubind::testing
