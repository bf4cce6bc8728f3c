// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/json.hpp"

#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

namespace cubind::testing {
namespace {

using gen::spec::Json;
using gen::spec::read_json;
using gen::spec::to_text;

TEST(JsonText, has_the_outermost_object_over_lines) {
    EXPECT_EQ(to_text(Json{{"a", 1}}), "{\n  \"a\": 1\n}\n");
}

TEST(JsonText, is_short_for_what_is_empty) {
    EXPECT_EQ(to_text(Json::object()), "{}\n");
    EXPECT_EQ(to_text(Json{{"a", Json::array()}}), "{\n  \"a\": []\n}\n");
}

TEST(JsonText, puts_what_fits_on_one_line) {
    Json json;
    json["entries"] = Json::array({Json{{"name", "a"}, {"value", 1}}, Json{{"name", "b"}, {"value", 2}}});
    EXPECT_EQ(to_text(json), "{\n  \"entries\": [{\"name\": \"a\", \"value\": 1}, {\"name\": \"b\", \"value\": 2}]\n}\n");
}

/// {"key": ["x...x"]} with so many x.
std::string text_with(std::size_t length) {
    return to_text(Json{{"key", Json::array({std::string(length, 'x')})}});
}

TEST(JsonText, breaks_what_is_longer_than_a_line) {
    // Two blanks, `"key": ` and `[""]` are 13 characters; a line has 140.
    EXPECT_EQ(text_with(127), "{\n  \"key\": [\"" + std::string(127, 'x') + "\"]\n}\n");
    EXPECT_EQ(text_with(128), "{\n  \"key\": [\n    \"" + std::string(128, 'x') + "\"\n  ]\n}\n");
}

TEST(JsonText, keeps_the_order_of_keys_and_escapes_text) {
    EXPECT_EQ(to_text(Json{{"z", "a\"b\\c\n"}, {"a", true}}), "{\n  \"z\": \"a\\\"b\\\\c\\n\",\n  \"a\": true\n}\n");
}

TEST(JsonText, reads_back_as_it_was) {
    const ScratchFolder scratch;
    const Json json = {{"b", {1, -2, 3}}, {"a", {{"deep", {{"deeper", std::string(150, 'y')}}}}}, {"c", nullptr}};
    EXPECT_EQ(read_json(scratch.write("a.json", to_text(json))), gen::spec::ParsedJson(json));
}

std::string error_of(const std::string& text) {
    const ScratchFolder scratch;
    const auto file = scratch.write("spec.json", text);
    const std::string message = input_error_of([&] { read_json(file); });
    EXPECT_EQ(message.find(file.string() + ":"), 0U) << message;
    return message.substr(std::min(message.size(), file.string().size()));
}

TEST(JsonReader, names_line_and_column_of_a_mistake) {
    EXPECT_EQ(error_of("{\n  \"a\": 1,\n  \"b\" 2\n}\n").substr(0, 6), ":3:7: ");
    EXPECT_EQ(error_of("x").substr(0, 6), ":1:1: ");
}

TEST(JsonReader, names_the_end_where_something_is_missing) {
    EXPECT_EQ(error_of("{\n  \"a\": [1, 2\n").substr(0, 3), ":3:");
}

TEST(JsonReader, says_what_to_do_with_a_mistake) {
    expect_contains(error_of("{,}"), "mend the syntax there");
}

TEST(JsonReader, refuses_a_byte_zero) {
    // Behind it everything would be overlooked.
    const std::string message = error_of(std::string("{\n\"a\": 1}\0\"", 11));
    EXPECT_EQ(message.substr(0, 6), ":2:8: ") << message;
    expect_contains(message, "byte 0");
}

TEST(JsonReader, refuses_what_nests_too_deep) {
    for (const std::size_t levels : {std::size_t{101}, std::size_t{1000000}}) expect_contains(error_of(std::string(levels, '[')), "nests more than 100");
    const ScratchFolder scratch;
    const auto file = scratch.write("deep.json", std::string(100, '[') + "\"[[]\\\"[\"" + std::string(100, ']'));
    EXPECT_NO_THROW(read_json(file));
}

TEST(JsonReader, refuses_a_number_that_no_type_holds) {
    expect_contains(error_of("{\"a\": 8e4444}"), "holds a number that is too large");
}

TEST(JsonReader, refuses_an_empty_file) {
    expect_contains(error_of(""), "is empty");
    expect_contains(error_of(" \n\t\n"), "is empty");
}

TEST(JsonReader, refuses_a_key_that_stands_twice) {
    // The second would silently replace the first, and a judgement be lost.
    const std::string message = error_of("{\"toyOpen\": {\"box\": 1},\n \"toyOpen\": {\"size\": 2}}");
    expect_contains(message, "toyOpen");
}

TEST(JsonReader, names_a_file_that_is_not_there) {
    const ScratchFolder scratch;
    const auto file = scratch.below("none.json");
    const std::string message = input_error_of([&] { read_json(file); });
    expect_contains(message, file.string() + ": cannot be read");
}

TEST(TextReader, refuses_a_folder) {
    const ScratchFolder scratch;
    expect_contains(input_error_of([&] { gen::spec::read_text(scratch.path()); }), scratch.path().string());
}

}  // namespace
}  // namespace cubind::testing
