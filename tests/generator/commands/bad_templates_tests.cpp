// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// Invalid templates. They are rejected before any output file changes.
class BadTemplatesTest : public GeneratorTest {
protected:
    BadTemplatesTest() { emit(); }

    void expect_emit_rejected(const std::string& part) const {
        for (const char* verb : {"emit", "emit --check"}) expect_rejected(verb, part);
    }
    static constexpr const char* strings = "templates/strings.hpp.mustache";
};

TEST_F(BadTemplatesTest, RejectsAnUnknownVariable) {
    write(strings, "one\ntwo {{librry}}\n");
    expect_emit_rejected("project/templates/strings.hpp.mustache:2: ");
    expect_emit_rejected("\"librry\"");
    expect_emit_rejected("the other templates");
}

TEST_F(BadTemplatesTest, RejectsAnUnknownVariableInASection) {
    write(strings, "{{#enums}}\n{{name}}\n{{#enumerators}}{{nmae}}{{/enumerators}}\n{{/enums}}\n");
    expect_emit_rejected("project/templates/strings.hpp.mustache:3: ");
    expect_emit_rejected("\"nmae\"");
}

TEST_F(BadTemplatesTest, RejectsAnUnclosedSection) {
    write(strings, "one\n{{#enums}}\n{{name}}\n");
    expect_emit_rejected("project/templates/strings.hpp.mustache");
    expect_emit_rejected("the tag");
}

TEST_F(BadTemplatesTest, RejectsAnUnclosedTag) {
    write(strings, "one\n{{library\n");
    expect_emit_rejected("project/templates/strings.hpp.mustache");
    expect_emit_rejected("the tag");
}

TEST_F(BadTemplatesTest, RejectsAnUnknownPartial) {
    write(strings, "one\n{{>nowhere}}\n");
    expect_emit_rejected("project/templates/strings.hpp.mustache:2: ");
    expect_emit_rejected("nowhere");
}

TEST_F(BadTemplatesTest, ReportsAMissingTemplateOrFolder) {
    fs::remove(below(strings));
    expect_emit_rejected("project/templates/strings.hpp.mustache");
    expect_emit_rejected("does not exist");
    fs::remove_all(below("templates"));
    expect_emit_rejected("project/templates");
    expect_emit_rejected("is not a folder");
    expect_emit_rejected("--templates");
}

TEST_F(BadTemplatesTest, ReportsAMissingSignatureTemplate) {
    fs::remove(below("templates/signature.mustache"));
    expect_rejected("model toy", "project/templates/signature.mustache");
    expect_rejected("model toy", "does not exist");
}

TEST_F(BadTemplatesTest, WritesNothingIfOneGroupFails) {
    // The file of the last group is rendered after many others. None of them may have been written.
    replace("templates/group.cpp.mustache", "#include <cubind/call.hpp>",
            "#include <cubind/cal.hpp>\n{{#functions}}{{ghost}}{{/functions}}");
    expect_emit_rejected("project/templates/group.cpp.mustache:");
    expect_emit_rejected("\"ghost\"");
}

}  // namespace
}  // namespace cubind::testing
