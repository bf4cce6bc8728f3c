// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Invalid entries of `attributes` in overrides.json. These name the enums whose enumerators have accessors.
class BadAttributesTest : public GeneratorTest {
protected:
    /// Expects that the commands reject these enums under `attributes`. Restores overrides.json.
    void expect_rejected_with(const std::string& enums, const std::string& part) {
        const std::string good = read(overrides);
        replace(overrides, "\"initial_values\"", "\"attributes\": {" + enums + "}, \"initial_values\"");
        expect_specs_rejected("project/api-specs/toy/overrides.json" + part);
        write(overrides, good);
    }
    /// Expects that the commands reject toyStatus with a valid class and prefix and with `keys`.
    void expect_keys_rejected(const std::string& keys, const std::string& part) {
        expect_rejected_with(R"("toyStatus": {"class": "Statuses", "prefix": "TOY_", )" + keys + "}", part);
    }
    /// Expects that the commands reject this annotation of TOY_OK.
    void expect_annotation_rejected(const std::string& annotation, const std::string& part) {
        expect_keys_rejected("\"annotations\": {\"TOY_OK\": " + annotation + "}", part);
    }
    /// Expects that the commands reject this class and prefix of toyStatus.
    void expect_names_rejected(const std::string& name, const std::string& prefix, const std::string& part) {
        expect_rejected_with("\"toyStatus\": {\"class\": \"" + name + "\", \"prefix\": \"" + prefix + "\"}",
                             ": attributes/toyStatus" + part);
    }
    /// Adds a status to the header before the existing ones.
    void add_status(const std::string& name, int value) const {
        replace("include/toy.h", "typedef enum {", "typedef enum {\n    " + name + " = " + std::to_string(value) + ",");
        replace(overrides, "\"TOY_OK\"", "\"" + name + "\": \"Odd.\", \"TOY_OK\"");
        extract();
    }
};

TEST_F(BadAttributesTest, RejectsANameThatIsNotAnEnum) {
    expect_rejected_with(R"("toyGhost": {"class": "Ghosts", "prefix": ""})", ": attributes/toyGhost: there is no enum toyGhost");
    expect_rejected_with(R"("toySize": {"class": "Sizes", "prefix": ""})", ": attributes/toySize: there is no enum toySize");
}

TEST_F(BadAttributesTest, RejectsAMissingOrUnknownKey) {
    expect_rejected_with(R"("toyStatus": {"prefix": "TOY_"})", "/attributes/toyStatus: the key \"class\" is missing");
    expect_rejected_with(R"("toyStatus": {"class": "Statuses"})", "/attributes/toyStatus: the key \"prefix\" is missing");
    expect_keys_rejected(R"("names": {})", "/attributes/toyStatus: the key \"names\" is unknown");
    expect_keys_rejected(R"("left_out": "TOY_OK")", "/attributes/toyStatus/left_out: must be a list");
}

TEST_F(BadAttributesTest, RejectsAnInvalidOrUsedClassName) {
    for (const char* name : {"", "statuses", "Toy Statuses", "2Statuses"}) {
        expect_names_rejected(name, "TOY_", "/class: \"" + std::string(name) + "\" is not a valid class name");
    }
    replace("include/toy.h", "} toyStatus;",
            "} toyStatus;\ntypedef enum { TOY_RED = 0 } toyColor;\ntypedef struct { int x; } Choices;");
    extract();
    expect_names_rejected("Choices", "TOY_", "/class: Choices is already the name of another type");
    expect_rejected_with(
        R"("toyColor": {"class": "Results", "prefix": "TOY_"}, "toyStatus": {"class": "Results", "prefix": "TOY_"})",
        ": attributes/toyStatus/class: Results is already the name of another type");
}

TEST_F(BadAttributesTest, RejectsAPrefixThatLeavesAnInvalidAccessorName) {
    expect_names_rejected("Statuses", "TOI_", ": TOY_OK does not begin with the prefix TOI_");
    expect_names_rejected("Statuses", "TOY_O", ": TOY_NO_LIBRARY does not begin with the prefix TOY_O");
    expect_names_rejected("Statuses", "TOY_OK", ": TOY_OK without the prefix is \"\", which is not a valid accessor name");
    int value = 10;
    for (const std::string name : {"TOY_REGISTER", "TOY_ATTRIBUTE", "TOY_ENDS_", "TOY_2ND"}) {
        add_status(name, ++value);
        expect_names_rejected("Statuses", "TOY_", ": " + name + " without the prefix is \"");
    }
}

TEST_F(BadAttributesTest, RejectsTwoEnumeratorsOfOneValue) {
    add_status("TOY_FINE", 0);
    expect_names_rejected("Statuses", "TOY_", ": TOY_FINE and TOY_OK both have the value 0");
}

TEST_F(BadAttributesTest, RejectsTwoAccessorsOfOneName) {
    add_status("TOY_ok", 7);
    expect_names_rejected("Statuses", "TOY_", ": TOY_ok and TOY_OK both result in the accessor ok");
}

TEST_F(BadAttributesTest, RejectsEnumeratorsWithoutAnAccessor) {
    expect_keys_rejected(R"("left_out": ["TOY_GHOST"])", ": attributes/toyStatus/left_out: TOY_GHOST is not an enumerator");
    expect_keys_rejected(R"("left_out": ["TOY_OK", "TOY_OK"])",
                         ": attributes/toyStatus/left_out: TOY_OK is not an enumerator, or is listed twice");
    expect_keys_rejected(R"("annotations": {"TOY_GHOST": {"unit": "m"}})",
                         ": attributes/toyStatus/annotations/TOY_GHOST: there is no such enumerator with an accessor");
    expect_keys_rejected(R"("left_out": ["TOY_OK"], "annotations": {"TOY_OK": {"unit": "m"}})",
                         ": attributes/toyStatus/annotations/TOY_OK: there is no such enumerator with an accessor");
}

TEST_F(BadAttributesTest, RejectsAnInvalidAnnotation) {
    const std::string place = "attributes/toyStatus/annotations/TOY_OK";
    expect_annotation_rejected("{}", ": " + place + ": the entry has no annotation");
    expect_annotation_rejected(R"({"yes_or_no": false})", ": " + place + ": the entry has no annotation");
    expect_annotation_rejected(R"({"yes_or_no": true, "unit": "m"})", ": " + place + ": the entry has both yes_or_no and a unit");
    expect_annotation_rejected(R"({"yes_or_no": "true"})", "/" + place + "/yes_or_no: must be true or false");
    expect_annotation_rejected(R"({"units": "m"})", "/" + place + ": the key \"units\" is unknown");
    expect_annotation_rejected(R"("m")", "/" + place + ": must be an object");
    expect_annotation_rejected(R"({"unit": "m\n"})", "/" + place + R"(/unit: "m\n" holds a control character)");
    expect_annotation_rejected(R"({"description": "A\\"})", ": " + place + "/description: the text holds a backslash");
    expect_annotation_rejected(R"({"description": "A."})", ": " + place + "/description: the text ends with a full stop");
}

TEST_F(BadAttributesTest, RejectsAFileThatAGroupAlreadyHas) {
    replace(overrides, "\"initial_values\"",
            R"("attributes": {"toyStatus": {"class": "Box", "prefix": "TOY_"}}, "initial_values")");
    for (const char* verb : {"emit", "emit --check"}) {
        expect_rejected(verb, "project/api-specs/toy/library.json: groups");
        expect_rejected(verb, "include/cubind/toy/box.hpp");
    }
}

}  // namespace
}  // namespace cubind::testing
