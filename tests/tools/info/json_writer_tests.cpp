// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "json_writer.hpp"

#include <gtest/gtest.h>

namespace cubind::info {
namespace {

std::string written(std::string_view text) {
    JsonWriter json;
    json.string(text);
    return json.text();
}

TEST(JsonWriter, NestsAndIndents) {
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

TEST(JsonWriter, EscapesWhatJsonCannotHold) {
    EXPECT_EQ(written("a\"b\\c\n\t"), "\"a\\\"b\\\\c\\n\\u0009\"");
    EXPECT_EQ(written(std::string_view("\0", 1)), "\"\\u0000\"");
}

TEST(JsonWriter, KeepsUtf8) {
    for (const char* text : {"\u00e9", "\u20ac", "\U0001f600", "\ud7ff", "\U0010ffff"}) {
        EXPECT_EQ(written(text), "\"" + std::string(text) + "\"");
    }
}

TEST(JsonWriter, ReplacesBytesThatAreNone) {
    EXPECT_EQ(written("/opt/\xff/lib"), "\"/opt/\\ufffd/lib\"");
    EXPECT_EQ(written("\xc3"), "\"\\ufffd\"") << "cut short";
    EXPECT_EQ(written("\xc0\xaf"), "\"\\ufffd\\ufffd\"") << "needlessly long";
    EXPECT_EQ(written("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"") << "a surrogate";
    EXPECT_EQ(written("\xe2\x82z"), "\"\\ufffd\\ufffdz\"");
}

}  // namespace
}  // namespace cubind::info
