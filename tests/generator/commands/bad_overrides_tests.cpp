// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class BadOverridesTest : public GeneratorTest {
protected:
    /// Expects that the commands reject overrides.json with `before` replaced by `now`. Restores the file.
    void expect_rejected_with(const std::string& before, const std::string& now, const std::string& part) {
        const std::string good = read(overrides);
        replace(overrides, before, now);
        expect_specs_rejected("project/api-specs/toy/overrides.json" + part);
        write(overrides, good);
    }
    /// Expects that the commands reject this annotation of the parameter `data` of toyRead.
    void expect_annotation_rejected(const std::string& annotation, const std::string& part) {
        expect_rejected_with("{\"data\": \"out buffer(bytes)\"}", "{\"data\": \"" + annotation + "\"}",
                             ": functions/toyRead/data: \"" + annotation + "\" " + part);
    }
};

TEST_F(BadOverridesTest, RejectsAnUnknownKey) {
    expect_rejected_with("\"functions\"", "\"function\": {}, \"functions\"",
                         ": the key \"function\" is unknown. The known keys are: ");
}

TEST_F(BadOverridesTest, RejectsAValueOfTheWrongKind) {
    expect_rejected_with("{\"state\": \"inout opaque\"}", "{\"state\": 1}",
                         "/functions/toyListen/state: must be a string, not 1");
    expect_rejected_with("{\"state\": \"inout opaque\"}", "\"inout opaque\"", "/functions/toyListen: must be an object");
}

TEST_F(BadOverridesTest, RejectsAnUnknownFunction) {
    expect_rejected_with("\"toyRead\"", "\"toyReed\"", ": functions/toyReed/data: there is no such parameter of toyReed");
    expect_rejected_with("\"toyRead\"", "\"toyGhost\": {\"x\": \"in value\"}, \"toyRead\"",
                         ": functions/toyGhost/x: there is no such parameter of toyGhost");
    expect_rejected_with("\"toyRead\"", "\"toyGhost\": {}, \"toyRead\"", ": functions/toyGhost");
}

TEST_F(BadOverridesTest, RejectsAnUnknownParameter) {
    expect_rejected_with("{\"data\": \"out", "{\"ghost\": \"in value\", \"data\": \"out",
                         ": functions/toyRead/ghost: there is no such parameter of toyRead");
}

TEST_F(BadOverridesTest, RejectsAnUnknownLength) {
    expect_annotation_rejected("out buffer(size)", "has the length size, but toyRead has no such parameter");
    expect_annotation_rejected("out buffer(bytes*size)", "has the length size");
    expect_annotation_rejected("out buffer(bytes*)", "has the length ");
    expect_annotation_rejected("out buffer(bytes*bytes*bytes)", "has a length that is a product of three or more parameters");
}

TEST_F(BadOverridesTest, RejectsAnAnnotationThatDoesNotParse) {
    expect_annotation_rejected("buffer(bytes)", "has no direction");
    expect_annotation_rejected("out", "has no shape");
    expect_annotation_rejected("out buffer", "has no length");
    expect_annotation_rejected("", "has no direction");
    expect_annotation_rejected("out buffer(bytes) perhaps", "has too many words");
}

TEST_F(BadOverridesTest, RejectsObjectsOfUnknownFunctionsAndParameters) {
    const auto expect_objects_rejected = [&](const std::string& objects, const std::string& part) {
        expect_rejected_with("\"initial_values\"", "\"objects\": {\"box\": " + objects + "}, \"initial_values\"", part);
    };
    expect_objects_rejected(R"({"begin": {"toyMake": "box"}})", ": objects/box/begin/toyMake: there is no function of this name");
    expect_objects_rejected(R"({"begin": {"toyOpen": "bocks"}})", ": objects/box/begin/toyOpen: toyOpen has no parameter bocks");
    expect_objects_rejected(R"({"begin": {"toyOpen": "box inside size"}})",
                            ": objects/box/begin/toyOpen: \"box inside size\" cannot be parsed; write");
    expect_objects_rejected(R"({"begin": {"toyOpen": "box within"}})",
                            ": objects/box/begin/toyOpen: \"box within\" cannot be parsed");
    expect_objects_rejected(R"({"begin": {"toyOpen": "box within data"}})",
                            ": objects/box/begin/toyOpen: toyOpen has no parameter data");
    expect_objects_rejected(R"({"begin": {"toyOpen": "size.depth"}})", ": objects/box/begin/toyOpen: size has no field depth");
    expect_objects_rejected(R"({"begin": {"toyOpen": ""}})", ": objects/box/begin/toyOpen: the text is empty");
    expect_objects_rejected(R"({"begin": {"toyOpen": "box"}, "end": {"toyShut": "box"}})",
                            ": objects/box/end/toyShut: there is no function of this name");
    expect_objects_rejected(R"({"end": {"toyClose": "box"}})", "/objects/box: the key \"begin\" is missing");
}

TEST_F(BadOverridesTest, RejectsContextRulesAndKindsOfEnumsOfUnknownNames) {
    const auto expect_key_rejected = [&](const std::string& line, const std::string& part) {
        expect_rejected_with("\"initial_values\"", line + ", \"initial_values\"", part);
    };
    expect_key_rejected(R"("same_context": {"toyJoin": ["box"]})", ": same_context/toyJoin: there is no function of this name");
    expect_key_rejected(R"("same_context": {"toyClose": ["bocks"]})", ": same_context/toyClose: toyClose has no parameter bocks");
    expect_key_rejected(R"("ends_contents": {"toyBurn": ""})", ": ends_contents/toyBurn: there is no function of this name");
    expect_key_rejected(R"("bit_sets": ["toySize"])", ": bit_sets: there is no enum toySize");
    expect_key_rejected(R"("open_enums": ["toySize"])", ": open_enums: there is no enum toySize");
}

TEST_F(BadOverridesTest, RejectsAnAnnotationThatContradictsTheType) {
    expect_annotation_rejected("out value",
                               "contradicts the header, because a void pointer does not point to one object (in toyRead)");
    expect_annotation_rejected("in callback", "contradicts the header, because data is not a function pointer");
    expect_rejected_with(
        "\"data\": \"in buffer(bytes)\"", "\"data\": \"out buffer(bytes)\"",
        ": functions/toyWrite/data: \"out buffer(bytes)\" contradicts the header, because data points to constant data");
    expect_rejected_with(
        "\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"listener\": \"in opaque\"",
        ": functions/toyListen/listener: \"in opaque\" contradicts the header, because listener is a function pointer");
    expect_rejected_with("\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"box\": \"in value\"",
                         ": functions/toyListen/box: \"in value\" contradicts the header, because box is not a pointer");
}

TEST_F(BadOverridesTest, RejectsAnAnnotationThatContradictsTheDocumentation) {
    expect_rejected_with(
        "\"box\": \"out value\"", "\"box\": \"in value\"",
        ": functions/toyOpen/box: \"in value\" contradicts the header, because its documentation tags box as out");
}

TEST_F(BadOverridesTest, NamesTheFunctionThatNeedsALineOfItsOwn) {
    replace("include/toy.h", "toyStatus toyClose(toyBox box);\n",
            "toyStatus toyClose(toyBox box);\n/** \\param[in] box A box. */\ntoyStatus toyOpen_v3(toyBox *box);\n");
    const Outcome updated = run("update --include project/include");
    EXPECT_NE(updated.status, 0);
    expect_contains(updated.error, ": functions/toyOpen/box: \"out value\" contradicts the header");
    expect_contains(updated.error,
                    "(in toyOpen_v3); correct the annotation, or give toyOpen_v3 a line of its own. If the tag is wrong");
}

TEST_F(BadOverridesTest, RejectsAnAnnotationThatTheTypeDecides) {
    expect_rejected_with("\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"listener\": \"in callback\"",
                         ": functions/toyListen/listener: the type alone already decides \"in callback\"");
}

TEST_F(BadOverridesTest, RejectsAWrongTagThatTheHeaderLacks) {
    expect_rejected_with("\"initial_values\"", "\"wrong_tags\": {\"toyOpen\": {\"box\": \"in\"}}, \"initial_values\"",
                         ": wrong_tags/toyOpen/box: the header has no parameter of this name with the tag \"in\"");
    expect_rejected_with("\"initial_values\"", "\"wrong_tags\": {\"toyGhost\": {\"box\": \"in\"}}, \"initial_values\"",
                         ": wrong_tags/toyGhost/box");
}

TEST_F(BadOverridesTest, RejectsAGroupOfAnUnknownFunction) {
    expect_rejected_with("\"initial_values\"", "\"groups\": {\"toyGhost\": \"TOY_BOX\"}, \"initial_values\"",
                         ": groups/toyGhost: there is no function toyGhost");
}

TEST_F(BadOverridesTest, RejectsAnUnknownGroup) {
    replace(overrides, "\"initial_values\"", "\"groups\": {\"toyRead\": \"TOY_GHOST\"}, \"initial_values\"");
    expect_specs_rejected(
        "project/api-specs/toy/overrides.json: groups/toyRead: neither the headers nor library.json have a group TOY_GHOST");
}

TEST_F(BadOverridesTest, RejectsAnInitialValueOfAnUnknownRecordOrField) {
    expect_rejected_with("\"toySize_st\"", "\"toySiez_st\"", ": initial_values/toySiez_st: there is no record toySiez_st");
    expect_rejected_with("{\"width\": \"1\"}", "{\"widht\": \"1\"}",
                         ": initial_values/toySize_st/widht: toySize_st has no field widht");
}

TEST_F(BadOverridesTest, RejectsAnUnknownOrEmptyDescription) {
    expect_rejected_with("\"TOY_OK\"", "\"TOY_GHOST\": \"Boo.\", \"TOY_OK\"",
                         ": descriptions/TOY_GHOST: toyStatus has no enumerator TOY_GHOST");
    expect_rejected_with("\"The toy works.\"", "\"\"", ": descriptions/TOY_OK");
}

TEST_F(BadOverridesTest, RejectsADuplicateKey) {
    expect_rejected_with("\"toyRead\": {\"data\": \"out buffer(bytes)\"}",
                         "\"toyRead\": {\"data\": \"out opaque\"}, \"toyRead\": {\"data\": \"out buffer(bytes)\"}", ":");
}

TEST_F(BadOverridesTest, ReportsAnUndecidedPointer) {
    replace(overrides, "    \"toyRead\": {\"data\": \"out buffer(bytes)\"},\n", "");
    replace(overrides, "\"toyListen\": {\"state\": \"inout opaque\"},", "");
    for (const char* verb : {"emit", "emit --check", "model toy"}) {
        expect_rejected(verb, "project/api-specs/toy: 2 question(s) are open");
        expect_rejected(verb, "  \"toyRead\": {\"data\": \"");
        expect_rejected(verb, "  \"toyListen\": {\"state\": \"");
        expect_rejected(verb, "void*");
    }
    const auto before = files();
    const Outcome report = run("report");
    EXPECT_EQ(report.status, 1);
    expect_contains(report.out, "undecided: toy: toyRead: void* data");
    expect_contains(report.out, "undecided: toy: toyListen: void* state");
    EXPECT_EQ(files(), before);
}

TEST_F(BadOverridesTest, ReportsAStatusWithoutADescription) {
    replace(overrides, "\"TOY_OK\": \"The toy works.\",", "");
    for (const char* verb : {"emit", "emit --check", "model toy"}) {
        expect_rejected(verb, "project/api-specs/toy/overrides.json, under \"descriptions\":\n  \"TOY_OK\": ");
    }
}

TEST_F(BadOverridesTest, ChecksAKeyForEveryVersionOfAFunction) {
    // A key applies to the functions that extend it by "_...", unless a longer key applies.
    replace("include/toy.h", "toyStatus toyRead(",
            "toyStatus toyRead_v2(toyBox box, void *data, size_t bytes);\ntoyStatus toyRead(");
    extract();
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_rejected_with("\"toyRead\": ", "\"toyRead_v2\": {\"data\": \"out buffer(size)\"}, \"toyRead\": ",
                         ": functions/toyRead_v2/data: \"out buffer(size)\" has the length size, but toyRead_v2");
}

}  // namespace
}  // namespace cubind::testing
