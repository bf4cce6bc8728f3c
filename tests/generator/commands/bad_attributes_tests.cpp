// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// What `attributes` of overrides.json says of enums whose enumerators get accessors.
class BadAttributes : public GeneratorTest {
protected:
    /// The specs with these enums under `attributes` are refused; overrides.json is as before again afterwards.
    void expect_refused_with(const std::string& enums, const std::string& part) {
        const std::string good = read(overrides);
        replace(overrides, "\"initial_values\"", "\"attributes\": {" + enums + "}, \"initial_values\"");
        expect_specs_refused("project/api-specs/toy/overrides.json" + part);
        write(overrides, good);
    }
    /// The same with toyStatus alone there, whose class and prefix are as they should be.
    void expect_keys_refused(const std::string& keys, const std::string& part) {
        expect_refused_with(R"("toyStatus": {"class": "Statuses", "prefix": "TOY_", )" + keys + "}", part);
    }
    /// The same with this judgement of TOY_OK.
    void expect_judgement_refused(const std::string& judgement, const std::string& part) {
        expect_keys_refused("\"judgements\": {\"TOY_OK\": " + judgement + "}", part);
    }
    /// The same with this class and prefix.
    void expect_names_refused(const std::string& name, const std::string& prefix, const std::string& part) {
        expect_refused_with("\"toyStatus\": {\"class\": \"" + name + "\", \"prefix\": \"" + prefix + "\"}",
                            ": attributes/toyStatus" + part);
    }
    /// Puts a status into the header, before those that are there.
    void add_status(const std::string& name, int value) const {
        replace("include/toy.h", "typedef enum {", "typedef enum {\n    " + name + " = " + std::to_string(value) + ",");
        replace(overrides, "\"TOY_OK\"", "\"" + name + "\": \"Odd.\", \"TOY_OK\"");
        extract();
    }
};

TEST_F(BadAttributes, are_of_no_enum) {
    expect_refused_with(R"("toyGhost": {"class": "Ghosts", "prefix": ""})", ": attributes/toyGhost: is no enum");
    expect_refused_with(R"("toySize": {"class": "Sizes", "prefix": ""})", ": attributes/toySize: is no enum");
}

TEST_F(BadAttributes, lack_a_key_or_have_an_unknown_one) {
    expect_refused_with(R"("toyStatus": {"prefix": "TOY_"})", "/attributes/toyStatus: lacks the key \"class\"");
    expect_refused_with(R"("toyStatus": {"class": "Statuses"})", "/attributes/toyStatus: lacks the key \"prefix\"");
    expect_keys_refused(R"("names": {})", "/attributes/toyStatus: has the unknown key \"names\"");
    expect_keys_refused(R"("left_out": "TOY_OK")", "/attributes/toyStatus/left_out: must be a list");
}

TEST_F(BadAttributes, give_a_class_no_name_of_its_own) {
    for (const char* name : {"", "statuses", "Toy Statuses", "2Statuses"}) {
        expect_names_refused(name, "TOY_", "/class: \"" + std::string(name) + "\" is no name for a class");
    }
    replace("include/toy.h", "} toyStatus;",
            "} toyStatus;\ntypedef enum { TOY_RED = 0 } toyColour;\ntypedef struct { int x; } Choices;");
    extract();
    expect_names_refused("Choices", "TOY_", "/class: Choices is the name of another type");
    expect_refused_with(R"("toyColour": {"class": "Results", "prefix": "TOY_"}, "toyStatus": {"class": "Results", "prefix": "TOY_"})",
                        ": attributes/toyStatus/class: Results is the name of another type");
}

TEST_F(BadAttributes, cut_names_that_nothing_can_be_called) {
    expect_names_refused("Statuses", "TOI_", ": TOY_OK does not begin with the prefix TOI_");
    expect_names_refused("Statuses", "TOY_O", ": TOY_NO_LIBRARY does not begin with the prefix TOY_O");
    expect_names_refused("Statuses", "TOY_OK", ": TOY_OK without the prefix is \"\", which no accessor can be called");
    int value = 10;
    for (const std::string name : {"TOY_REGISTER", "TOY_ATTRIBUTE", "TOY_ENDS_", "TOY_2ND"}) {
        add_status(name, ++value);
        expect_names_refused("Statuses", "TOY_", ": " + name + " without the prefix is \"");
    }
}

TEST_F(BadAttributes, have_two_of_one_value) {
    add_status("TOY_FINE", 0);
    expect_names_refused("Statuses", "TOY_", ": TOY_FINE and TOY_OK are both 0, for which one accessor is enough");
}

TEST_F(BadAttributes, have_two_of_one_name) {
    add_status("TOY_ok", 7);
    expect_names_refused("Statuses", "TOY_", ": TOY_ok and TOY_OK would both have the accessor ok");
}

TEST_F(BadAttributes, speak_of_enumerators_that_have_no_accessor) {
    expect_keys_refused(R"("left_out": ["TOY_GHOST"])", ": attributes/toyStatus/left_out: TOY_GHOST is no enumerator");
    expect_keys_refused(R"("left_out": ["TOY_OK", "TOY_OK"])", ": attributes/toyStatus/left_out: TOY_OK is no enumerator, or stands there twice");
    expect_keys_refused(R"("judgements": {"TOY_GHOST": {"unit": "m"}})",
                        ": attributes/toyStatus/judgements/TOY_GHOST: is no enumerator that has an accessor");
    expect_keys_refused(R"("left_out": ["TOY_OK"], "judgements": {"TOY_OK": {"unit": "m"}})",
                        ": attributes/toyStatus/judgements/TOY_OK: is no enumerator that has an accessor");
}

TEST_F(BadAttributes, judge_what_makes_no_sense) {
    const std::string place = "attributes/toyStatus/judgements/TOY_OK";
    expect_judgement_refused("{}", ": " + place + ": decides nothing; remove the line");
    expect_judgement_refused(R"({"yes_or_no": false})", ": " + place + ": decides nothing; remove the line");
    expect_judgement_refused(R"({"yes_or_no": true, "unit": "m"})", ": " + place + ": is yes or no and has a unit");
    expect_judgement_refused(R"({"yes_or_no": "true"})", "/" + place + "/yes_or_no: must be true or false");
    expect_judgement_refused(R"({"units": "m"})", "/" + place + ": has the unknown key \"units\"");
    expect_judgement_refused(R"("m")", "/" + place + ": must be an object");
    expect_judgement_refused(R"({"unit": "m\n"})", ": " + place + "/unit: holds a backslash, newline");
    expect_judgement_refused(R"({"description": "A\\"})", ": " + place + "/description: holds a backslash, newline");
    expect_judgement_refused(R"({"description": "A."})", ": " + place + "/description: ends with a full stop");
}

TEST_F(BadAttributes, are_given_a_file_that_a_group_has) {
    replace(overrides, "\"initial_values\"", R"("attributes": {"toyStatus": {"class": "Box", "prefix": "TOY_"}}, "initial_values")");
    for (const char* verb : {"emit", "emit --check"}) {
        expect_refused(verb, "project/api-specs/toy/library.json: groups contains the generated file include/cubind/toy/box.hpp");
    }
}

}  // namespace
}  // namespace cubind::testing
