// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "json_writer.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::info;

std::string json_string(std::string_view text) {
    JsonWriter json;
    json.string(text);
    return json.text();
}

TEST(JsonWriterTest, NestsAndIndents) {
    JsonWriter json;
    json.begin_object();
    json.key("one").number(-1);
    json.key("list").begin_array();
    json.boolean(true);
    json.string_or_null("");
    json.begin_object();
    json.end_object();
    json.end_array();
    json.key("empty").begin_array();
    json.end_array();
    json.end_object();
    EXPECT_EQ(json.text(), "{\n  \"one\": -1,\n  \"list\": [\n    true,\n    null,\n    {}\n  ],\n  \"empty\": []\n}");
}

TEST(JsonWriterTest, EscapesSpecialCharacters) {
    EXPECT_EQ(json_string("a\"b\\c\n\t"), "\"a\\\"b\\\\c\\n\\u0009\"");
    EXPECT_EQ(json_string(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(JsonWriterTest, PreservesUtf8) {
    for (const char* text : {"\u00e9", "\u20ac", "\U0001f600", "\ud7ff", "\U0010ffff"}) {
        EXPECT_EQ(json_string(text), "\"" + std::string(text) + "\"");
    }
}

TEST(JsonWriterTest, ReplacesBytesThatAreNotUtf8) {
    EXPECT_EQ(json_string("/opt/\xff/lib"), "\"/opt/\\ufffd/lib\"");
    EXPECT_EQ(json_string("\xc3"), "\"\\ufffd\"") << "truncated";
    EXPECT_EQ(json_string("\xc0\xaf"), "\"\\ufffd\\ufffd\"") << "overlong";
    EXPECT_EQ(json_string("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"") << "a surrogate";
    EXPECT_EQ(json_string("\xe2\x82z"), "\"\\ufffd\\ufffdz\"");
}

}  // namespace
}  // namespace cubind::testing
