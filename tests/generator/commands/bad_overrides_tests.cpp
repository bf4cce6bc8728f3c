// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class BadOverrides : public GeneratorTest {
protected:
    /// The specs with this replaced in overrides.json are refused; overrides.json is as before again afterwards.
    void expect_refused_with(const std::string& before, const std::string& now, const std::string& part) {
        const std::string good = read(overrides);
        replace(overrides, before, now);
        expect_specs_refused("project/api-specs/toy/overrides.json" + part);
        write(overrides, good);
    }
    /// The same with this judgement of the parameter `data` of toyRead.
    void expect_judgement_refused(const std::string& judgement, const std::string& part) {
        expect_refused_with("{\"data\": \"out buffer(bytes)\"}", "{\"data\": \"" + judgement + "\"}",
                            ": functions/toyRead/data: \"" + judgement + "\" " + part);
    }
};

TEST_F(BadOverrides, have_an_unknown_key) {
    expect_refused_with("\"functions\"", "\"function\": {}, \"functions\"", ": has the unknown key \"function\"; it may have: ");
}

TEST_F(BadOverrides, have_the_wrong_kind_of_value) {
    expect_refused_with("{\"state\": \"inout opaque\"}", "{\"state\": 1}", "/functions/toyListen/state: must be a string, not 1");
    expect_refused_with("{\"state\": \"inout opaque\"}", "\"inout opaque\"", "/functions/toyListen: must be an object");
}

TEST_F(BadOverrides, name_a_function_that_does_not_exist) {
    expect_refused_with("\"toyRead\"", "\"toyReed\"", ": functions/toyReed/data: matches no parameter of toyReed");
    expect_refused_with("\"toyRead\"", "\"toyGhost\": {\"x\": \"in value\"}, \"toyRead\"",
                        ": functions/toyGhost/x: matches no parameter");
    expect_refused_with("\"toyRead\"", "\"toyGhost\": {}, \"toyRead\"", ": functions/toyGhost");
}

TEST_F(BadOverrides, name_a_parameter_that_does_not_exist) {
    expect_refused_with("{\"data\": \"out", "{\"ghost\": \"in value\", \"data\": \"out",
                        ": functions/toyRead/ghost: matches no parameter of toyRead");
}

TEST_F(BadOverrides, take_a_length_from_nowhere) {
    expect_judgement_refused("out buffer(size)", "takes its length from size, but toyRead has no such parameter");
    expect_judgement_refused("out buffer(bytes*size)", "takes its length from size");
    expect_judgement_refused("out buffer(bytes*)", "takes its length from ");
    expect_judgement_refused("out buffer(bytes*bytes*bytes)", "is a product of three parameters or more");
}

TEST_F(BadOverrides, are_against_the_grammar) {
    expect_judgement_refused("buffer(bytes)", "has no direction");
    expect_judgement_refused("out", "has no shape");
    expect_judgement_refused("out buffer", "has no length");
    expect_judgement_refused("", "has no direction");
    expect_judgement_refused("out buffer(bytes) perhaps", "has a word too many");
}

TEST_F(BadOverrides, give_objects_to_what_is_not_there) {
    const auto expect_objects_refused = [&](const std::string& objects, const std::string& part) {
        expect_refused_with("\"initial_values\"", "\"objects\": {\"box\": " + objects + "}, \"initial_values\"", part);
    };
    expect_objects_refused(R"({"begin": {"toyMake": "box"}})", ": objects/box/begin/toyMake: matches no function");
    expect_objects_refused(R"({"begin": {"toyOpen": "bocks"}})", ": objects/box/begin/toyOpen: toyOpen has no parameter bocks");
    expect_objects_refused(R"({"begin": {"toyOpen": "box inside size"}})", ": objects/box/begin/toyOpen: \"box inside size\" is not understood; write");
    expect_objects_refused(R"({"begin": {"toyOpen": "box within"}})", ": objects/box/begin/toyOpen: \"box within\" is not understood");
    expect_objects_refused(R"({"begin": {"toyOpen": "box within data"}})", ": objects/box/begin/toyOpen: toyOpen has no parameter data");
    expect_objects_refused(R"({"begin": {"toyOpen": "size.depth"}})", ": objects/box/begin/toyOpen: size has no field depth");
    expect_objects_refused(R"({"begin": {"toyOpen": ""}})", ": objects/box/begin/toyOpen: is empty");
    expect_objects_refused(R"({"begin": {"toyOpen": "box"}, "end": {"toyShut": "box"}})", ": objects/box/end/toyShut: matches no function");
    expect_objects_refused(R"({"end": {"toyClose": "box"}})", "/objects/box: lacks the key \"begin\"");
}

TEST_F(BadOverrides, relate_what_is_not_there) {
    const auto expect_key_refused = [&](const std::string& line, const std::string& part) {
        expect_refused_with("\"initial_values\"", line + ", \"initial_values\"", part);
    };
    expect_key_refused(R"("same_context": {"toyJoin": ["box"]})", ": same_context/toyJoin: matches no function");
    expect_key_refused(R"("same_context": {"toyClose": ["bocks"]})", ": same_context/toyClose: toyClose has no parameter bocks");
    expect_key_refused(R"("ends_contents": {"toyBurn": ""})", ": ends_contents/toyBurn: matches no function");
    expect_key_refused(R"("bit_sets": ["toySize"])", ": bit_sets: toySize is no enum");
}

TEST_F(BadOverrides, contradict_the_type) {
    expect_judgement_refused("out value", "contradicts the header: a void pointer points to no one object (in toyRead)");
    expect_judgement_refused("in callback", "contradicts the header: data is no function pointer");
    expect_refused_with("\"data\": \"in buffer(bytes)\"", "\"data\": \"out buffer(bytes)\"",
                        ": functions/toyWrite/data: \"out buffer(bytes)\" contradicts the header: data points to constant data");
    expect_refused_with("\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"listener\": \"in opaque\"",
                        ": functions/toyListen/listener: \"in opaque\" contradicts the header: listener is a function pointer");
    expect_refused_with("\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"box\": \"in value\"",
                        ": functions/toyListen/box: \"in value\" contradicts the header: box is no pointer");
}

TEST_F(BadOverrides, contradict_the_documentation) {
    expect_refused_with("\"box\": \"out value\"", "\"box\": \"in value\"",
                        ": functions/toyOpen/box: \"in value\" contradicts the header: its documentation tags box as out");
}

TEST_F(BadOverrides, repeat_what_the_type_decides) {
    expect_refused_with("\"state\": \"inout opaque\"", "\"state\": \"inout opaque\", \"listener\": \"in callback\"",
                        ": functions/toyListen/listener: repeats what the type alone decides (\"in callback\"); remove the line");
}

TEST_F(BadOverrides, call_a_tag_wrong_that_is_not_there) {
    expect_refused_with("\"initial_values\"", "\"wrong_tags\": {\"toyOpen\": {\"box\": \"in\"}}, \"initial_values\"",
                        ": wrong_tags/toyOpen/box: the header tags no such parameter as \"in\"");
    expect_refused_with("\"initial_values\"", "\"wrong_tags\": {\"toyGhost\": {\"box\": \"in\"}}, \"initial_values\"",
                        ": wrong_tags/toyGhost/box");
}

TEST_F(BadOverrides, give_a_group_to_no_function) {
    expect_refused_with("\"initial_values\"", "\"groups\": {\"toyGhost\": \"TOY_BOX\"}, \"initial_values\"",
                        ": groups/toyGhost: is no function");
}

TEST_F(BadOverrides, give_a_function_a_group_that_does_not_exist) {
    replace(overrides, "\"initial_values\"", "\"groups\": {\"toyRead\": \"TOY_GHOST\"}, \"initial_values\"");
    expect_specs_refused("project/api-specs/toy/overrides.json: groups/toyRead: neither the headers nor library.json know a group TOY_GHOST");
}

TEST_F(BadOverrides, give_a_value_to_no_record_or_field) {
    expect_refused_with("\"toySize_st\"", "\"toySiez_st\"", ": initial_values/toySiez_st: is no record");
    expect_refused_with("{\"width\": \"1\"}", "{\"widht\": \"1\"}",
                        ": initial_values/toySize_st/widht: toySize_st has no such field");
}

TEST_F(BadOverrides, describe_too_few_or_too_many_enumerators) {
    expect_refused_with("\"TOY_OK\"", "\"TOY_GHOST\": \"Boo.\", \"TOY_OK\"",
                        ": descriptions/TOY_GHOST: is no enumerator of toyStatus");
    expect_refused_with("\"The toy works.\"", "\"\"", ": descriptions/TOY_OK");
}

TEST_F(BadOverrides, state_a_key_twice) {
    expect_refused_with("\"toyRead\": {\"data\": \"out buffer(bytes)\"}",
                        "\"toyRead\": {\"data\": \"out opaque\"}, \"toyRead\": {\"data\": \"out buffer(bytes)\"}", ":");
}

TEST_F(BadOverrides, leave_a_pointer_undecided) {
    replace(overrides, "    \"toyRead\": {\"data\": \"out buffer(bytes)\"},\n", "");
    replace(overrides, "\"toyListen\": {\"state\": \"inout opaque\"},", "");
    for (const char* verb : {"emit", "emit --check", "model toy"}) {
        expect_refused(verb, "project/api-specs/toy: nothing decides 2 question(s)");
        expect_refused(verb, "  \"toyRead\": {\"data\": \"");
        expect_refused(verb, "  \"toyListen\": {\"state\": \"");
        expect_refused(verb, "void*");
    }
    const auto before = files();
    const Outcome report = run("report");
    EXPECT_EQ(report.status, 1);
    expect_contains(report.out, "undecided: toy: toyRead: void* data");
    expect_contains(report.out, "undecided: toy: toyListen: void* state");
    EXPECT_EQ(files(), before);
}

TEST_F(BadOverrides, leave_a_status_undescribed) {
    replace(overrides, "\"TOY_OK\": \"The toy works.\",", "");
    for (const char* verb : {"emit", "emit --check", "model toy"}) {
        expect_refused(verb, "project/api-specs/toy/overrides.json, under \"descriptions\":\n  \"TOY_OK\": ");
    }
}

TEST_F(BadOverrides, of_a_family_reach_every_version) {
    // A key speaks for the functions that extend it by "_...", unless a longer key does.
    replace("include/toy.h", "toyStatus toyRead(",
            "toyStatus toyRead_v2(toyBox box, void *data, size_t bytes);\ntoyStatus toyRead(");
    extract();
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
    expect_refused_with("\"toyRead\": ", "\"toyRead_v2\": {\"data\": \"out buffer(size)\"}, \"toyRead\": ",
                        ": functions/toyRead_v2/data: \"out buffer(size)\" takes its length from size, but toyRead_v2");
}

}  // namespace
}  // namespace cubind::testing
