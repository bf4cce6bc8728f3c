// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// Templates that are not as they must be: refused before any file of the output changes.
class BadTemplates : public GeneratorTest {
protected:
    BadTemplates() { emit(); }

    void expect_emit_refused(const std::string& part) const {
        for (const char* verb : {"emit", "emit --check"}) expect_refused(verb, part);
    }
    static constexpr const char* strings = "templates/strings.hpp.mustache";
};

TEST_F(BadTemplates, have_an_unknown_variable) {
    write(strings, "one\ntwo {{librry}}\n");
    expect_emit_refused("project/templates/strings.hpp.mustache:2: nothing defines the variable \"librry\"");
    expect_emit_refused("the other templates show the available variables");
}

TEST_F(BadTemplates, have_an_unknown_section) {
    write(strings, "{{#enums}}\n{{name}}\n{{#enumerators}}{{nmae}}{{/enumerators}}\n{{/enums}}\n");
    expect_emit_refused("project/templates/strings.hpp.mustache:3: nothing defines the variable \"nmae\"");
}

TEST_F(BadTemplates, have_a_section_that_does_not_close) {
    write(strings, "one\n{{#enums}}\n{{name}}\n");
    expect_emit_refused("project/templates/strings.hpp.mustache");
    expect_emit_refused("correct the tag");
}

TEST_F(BadTemplates, have_a_tag_that_does_not_close) {
    write(strings, "one\n{{library\n");
    expect_emit_refused("project/templates/strings.hpp.mustache");
    expect_emit_refused("correct the tag");
}

TEST_F(BadTemplates, name_a_partial_that_is_not_there) {
    write(strings, "one\n{{>nowhere}}\n");
    expect_emit_refused("project/templates/strings.hpp.mustache:2: ");
    expect_emit_refused("nowhere");
}

TEST_F(BadTemplates, are_missing) {
    fs::remove(below(strings));
    expect_emit_refused("project/templates/strings.hpp.mustache: does not exist; restore the template");
    fs::remove_all(below("templates"));
    expect_emit_refused("project/templates: is not a folder");
    expect_emit_refused("--templates");
}

TEST_F(BadTemplates, lack_the_signature_that_the_model_prints) {
    fs::remove(below("templates/signature.mustache"));
    expect_refused("model toy", "project/templates/signature.mustache: does not exist");
}

TEST_F(BadTemplates, of_one_group_stop_all) {
    // The last group's file is rendered after many others; none of them may have been written.
    replace("templates/group.cpp.mustache", "#include <cubind/call.hpp>",
            "#include <cubind/cal.hpp>\n{{#functions}}{{ghost}}{{/functions}}");
    expect_emit_refused("project/templates/group.cpp.mustache:");
    expect_emit_refused("\"ghost\"");
}

}  // namespace
}  // namespace cubind::testing
