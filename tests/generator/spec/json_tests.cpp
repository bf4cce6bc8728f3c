// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "spec/json.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Json;
using gen::spec::read_json;
using gen::spec::to_text;

TEST(JsonToTextTest, WritesTheOutermostObjectOnSeveralLines) {
    EXPECT_EQ(to_text(Json{{"a", 1}}), "{\n  \"a\": 1\n}\n");
}

TEST(JsonToTextTest, WritesEmptyValuesOnOneLine) {
    EXPECT_EQ(to_text(Json::object()), "{}\n");
    EXPECT_EQ(to_text(Json{{"a", Json::array()}}), "{\n  \"a\": []\n}\n");
}

TEST(JsonToTextTest, WritesAValueThatFitsOnOneLine) {
    Json json;
    json["entries"] = Json::array({Json{{"name", "a"}, {"value", 1}}, Json{{"name", "b"}, {"value", 2}}});
    EXPECT_EQ(to_text(json), "{\n  \"entries\": [{\"name\": \"a\", \"value\": 1}, {\"name\": \"b\", \"value\": 2}]\n}\n");
}

/// Returns {"key": ["x...x"]} with `length` times x.
std::string text_with(std::size_t length) {
    return to_text(Json{{"key", Json::array({std::string(length, 'x')})}});
}

TEST(JsonToTextTest, BreaksAValueThatIsLongerThanALine) {
    // Two blanks, `"key": ` and `[""]` are 13 characters; a line has 140.
    EXPECT_EQ(text_with(127), "{\n  \"key\": [\"" + std::string(127, 'x') + "\"]\n}\n");
    EXPECT_EQ(text_with(128), "{\n  \"key\": [\n    \"" + std::string(128, 'x') + "\"\n  ]\n}\n");
}

TEST(JsonToTextTest, RetainsTheOrderOfKeysAndEscapesText) {
    EXPECT_EQ(to_text(Json{{"z", "a\"b\\c\n"}, {"a", true}}), "{\n  \"z\": \"a\\\"b\\\\c\\n\",\n  \"a\": true\n}\n");
}

TEST(JsonToTextTest, IsReadBackUnchanged) {
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

TEST(ReadJsonTest, NamesLineAndColumnOfAnError) {
    EXPECT_EQ(error_of("{\n  \"a\": 1,\n  \"b\" 2\n}\n").substr(0, 6), ":3:7: ");
    EXPECT_EQ(error_of("x").substr(0, 6), ":1:1: ");
}

TEST(ReadJsonTest, NamesTheEndOfATruncatedFile) {
    EXPECT_EQ(error_of("{\n  \"a\": [1, 2\n").substr(0, 3), ":3:");
}

TEST(ReadJsonTest, NamesTheRemedy) {
    expect_contains(error_of("{,}"), "correct the syntax");
}

TEST(ReadJsonTest, RejectsAZeroByte) {
    // The parser would ignore everything after it.
    const std::string message = error_of(std::string("{\n\"a\": 1}\0\"", 11));
    EXPECT_EQ(message.substr(0, 6), ":2:8: ") << message;
    expect_contains(message, "zero byte");
}

TEST(ReadJsonTest, RejectsExcessiveNesting) {
    for (const std::size_t levels : {std::size_t{101}, std::size_t{1000000}})
        expect_contains(error_of(std::string(levels, '[')), "nested more than 100");
    const ScratchFolder scratch;
    const auto file = scratch.write("deep.json", std::string(100, '[') + "\"[[]\\\"[\"" + std::string(100, ']'));
    EXPECT_NO_THROW(read_json(file));
}

TEST(ReadJsonTest, RejectsANumberThatIsTooLarge) {
    expect_contains(error_of("{\"a\": 8e4444}"), "a number is too large");
}

TEST(ReadJsonTest, RejectsAnEmptyFile) {
    expect_contains(error_of(""), "is empty");
    expect_contains(error_of(" \n\t\n"), "is empty");
}

TEST(ReadJsonTest, RejectsADuplicateKey) {
    // The second would silently replace the first, so an annotation would be lost.
    const std::string message = error_of("{\"toyOpen\": {\"box\": 1},\n \"toyOpen\": {\"size\": 2}}");
    expect_contains(message, "toyOpen");
}

TEST(ReadJsonTest, ReportsAMissingFile) {
    const ScratchFolder scratch;
    const auto file = scratch.below("none.json");
    const std::string message = input_error_of([&] { read_json(file); });
    expect_contains(message, file.string() + ": the file cannot be read");
}

TEST(ReadTextTest, RejectsAFolder) {
    const ScratchFolder scratch;
    expect_contains(input_error_of([&] { gen::spec::read_text(scratch.path()); }), scratch.path().string());
}

TEST(ReadTextTest, RejectsADeviceWithoutAnEnd) {
    expect_contains(input_error_of([&] { gen::spec::read_text("/dev/zero"); }), "regular file");
}

}  // namespace
}  // namespace cubind::testing
