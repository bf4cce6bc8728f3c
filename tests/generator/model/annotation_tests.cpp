// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/annotation.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::model::Annotation;
using gen::model::Direction;
using gen::model::parse_annotation;
using gen::model::Shape;

struct Good {
    const char* text;
    Annotation annotation;
};

class ValidAnnotationTest : public ::testing::TestWithParam<Good> {};

TEST_P(ValidAnnotationTest, IsParsed) {
    EXPECT_EQ(parse_annotation(GetParam().text, "here"), GetParam().annotation);
}

INSTANTIATE_TEST_SUITE_P(Every, ValidAnnotationTest,
                         ::testing::Values(Good{"in value", {Direction::in, Shape::value, "", false}},
                                           Good{"out value", {Direction::out, Shape::value, "", false}},
                                           Good{"inout value optional", {Direction::inout, Shape::value, "", true}},
                                           Good{"in array(count)", {Direction::in, Shape::array, "count", false}},
                                           Good{"out array(width*height) optional",
                                                {Direction::out, Shape::array, "width*height", true}},
                                           Good{"out buffer(16)", {Direction::out, Shape::buffer, "16", false}},
                                           Good{"in string", {Direction::in, Shape::string, "", false}},
                                           Good{"out string(capacity)", {Direction::out, Shape::string, "capacity", false}},
                                           Good{"in opaque", {Direction::in, Shape::opaque, "", false}},
                                           Good{"in callback optional", {Direction::in, Shape::callback, "", true}},
                                           Good{"  in   value  ", {Direction::in, Shape::value, "", false}}));

struct Bad {
    const char* text;
    const char* reason;
};

class InvalidAnnotationTest : public ::testing::TestWithParam<Bad> {};

TEST_P(InvalidAnnotationTest, IsRejectedWithTheReasonAndTheGrammar) {
    const std::string place = "overrides.json: functions/toyOpen/box";
    const std::string message = input_error_of([&] { parse_annotation(GetParam().text, place); });
    expect_contains(message, place + ": \"" + GetParam().text + "\" " + GetParam().reason);
    expect_contains(message, "DIRECTION SHAPE [optional]");
    for (const char* word : {"inout", "array(count)", "buffer(bytes)", "string(capacity)", "opaque", "callback"}) {
        expect_contains(message, word);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Every, InvalidAnnotationTest,
    ::testing::Values(Bad{"", "has no direction"}, Bad{"value", "has no direction"}, Bad{"IN value", "has no direction"},
                      Bad{"in", "has no shape"}, Bad{"in thing", "has no shape"}, Bad{"in optional", "has no shape"},
                      Bad{"in array", "has no length"}, Bad{"out buffer", "has no length"},
                      Bad{"in array()", "has an empty length"}, Bad{"in array(count", "lacks a closing parenthesis"},
                      Bad{"in value(count)", "has a length, which its shape does not allow"},
                      Bad{"in opaque(4)", "has a length, which its shape does not allow"},
                      Bad{"in callback(4)", "has a length, which its shape does not allow"},
                      Bad{"in value maybe", "has too many words"}, Bad{"in value optional optional", "has too many words"}));

TEST(AnnotationTest, WritesUnlessTheDirectionIsIn) {
    EXPECT_FALSE(parse_annotation("in value", "here").writes());
    EXPECT_TRUE(parse_annotation("out value", "here").writes());
    EXPECT_TRUE(parse_annotation("inout value", "here").writes());
}

TEST(AnnotationTest, NamesEveryDirectionAndShape) {
    EXPECT_EQ(to_text(Direction::in), "in");
    EXPECT_EQ(to_text(Direction::out), "out");
    EXPECT_EQ(to_text(Direction::inout), "inout");
    EXPECT_EQ(to_text(Shape::value), "value");
    EXPECT_EQ(to_text(Shape::array), "array");
    EXPECT_EQ(to_text(Shape::buffer), "buffer");
    EXPECT_EQ(to_text(Shape::string), "string");
    EXPECT_EQ(to_text(Shape::opaque), "opaque");
    EXPECT_EQ(to_text(Shape::callback), "callback");
}

}  // namespace
}  // namespace cubind::testing
