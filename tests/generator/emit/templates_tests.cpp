// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emit/templates.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::emit::Data;
using gen::emit::Templates;
using gen::emit::to_data;
using gen::spec::Json;

class TemplatesTest : public ::testing::Test {
protected:
    /// Writes `text` to main.mustache and renders it.
    std::string render(const std::string& text, const Json& json = Json::object()) {
        folder_.write("main.mustache", text);
        const Data data = to_data(json);
        return Templates(folder_.path()).render("main", {&data});
    }
    /// Returns the error of rendering `text`.
    std::string error(const std::string& text, const Json& json = Json::object()) {
        return input_error_of([&] { render(text, json); });
    }
    std::string place(const std::string& file_and_line) const { return folder_.below(file_and_line).string(); }

    ScratchFolder folder_;
};

TEST_F(TemplatesTest, InsertsValuesUnescaped) {
    EXPECT_EQ(render("{{type}}& {{name}};", {{"type", "std::array<int, 2>"}, {"name", "\"x\""}}), "std::array<int, 2>& \"x\";");
    EXPECT_EQ(render("{{count}}{{#yes}} yes{{/yes}}{{^yes}} no{{/yes}}", {{"count", 3}, {"yes", true}}), "3 yes");
}

TEST_F(TemplatesTest, MarksTheFirstItemOfAList) {
    const Json json = {{"list", {{{"name", "a"}}, {{"name", "b"}}, {{"name", "c"}}}}};
    EXPECT_EQ(render("{{#list}}{{^first}}, {{/first}}{{name}}{{/list}}", json), "a, b, c");
}

TEST_F(TemplatesTest, NamesItemsThatAreNotObjects) {
    EXPECT_EQ(render("{{#list}}{{value}};{{/list}}", {{"list", {"a", "b"}}}), "a;b;");
    EXPECT_EQ(render("[{{#list}}{{value}}{{/list}}]", {{"list", Json::array()}}), "[]");
}

TEST_F(TemplatesTest, SearchesTheLastScopeFirst) {
    folder_.write("main.mustache", "{{both}} {{outer}}");
    const Data outer = to_data({{"both", "outer"}, {"outer", "there"}});
    const Data inner = to_data({{"both", "inner"}});
    EXPECT_EQ(Templates(folder_.path()).render("main", {&outer, &inner}), "inner there");
}

TEST_F(TemplatesTest, RemovesLinesThatHoldOnlyATag) {
    const Json json = {{"list", {{{"name", "a"}}, {{"name", "b"}}}}, {"no", false}};
    EXPECT_EQ(render("begin\n{{#list}}\n  {{name}}\n{{/list}}\n  {{! a comment }}\n{{#no}}\nnever\n{{/no}}\nend\n", json),
              "begin\n  a\n  b\nend\n");
}

TEST_F(TemplatesTest, RetainsBlankLines) {
    EXPECT_EQ(render("a\n\n{{#yes}}\n\nb\n\n{{/yes}}\n\nc\n", {{"yes", true}}), "a\n\n\nb\n\n\nc\n");
}

TEST_F(TemplatesTest, RetainsTheLineOfATagNextToText) {
    EXPECT_EQ(render("a{{#no}}x{{/no}}\n{{#yes}}b{{/yes}}\n{{name}}\n", {{"yes", true}, {"no", false}, {"name", "c"}}),
              "a\nb\nc\n");
}

TEST_F(TemplatesTest, InsertsPartials) {
    folder_.write("part.mustache", "<{{name}}>");
    EXPECT_EQ(render("{{#list}}{{>part}}{{/list}}!\n", {{"list", {{{"name", "a"}}, {{"name", "b"}}}}}), "<a><b>!\n");
}

TEST_F(TemplatesTest, InsertsRecursivePartials) {
    folder_.write("tree.mustache", "{{name}}({{#children}}{{>tree}}{{/children}})");
    const Json leaf = {{"name", "leaf"}, {"children", Json::array()}};
    const Json branch = {{"name", "branch"}, {"children", {leaf, leaf}}};
    EXPECT_EQ(render("{{#root}}{{>tree}}{{/root}}", {{"root", {{"name", "root"}, {"children", {branch}}}}}),
              "root(branch(leaf()leaf()))");
}

TEST_F(TemplatesTest, RetainsTheLinesOfARecursivePartial) {
    folder_.write("tree.mustache", "{{indent}}{{name}}\n{{#children}}\n{{>tree}}\n{{/children}}\n");
    const Json leaf = {{"indent", "  "}, {"name", "leaf"}, {"children", Json::array()}};
    EXPECT_EQ(render("{{#root}}\n{{>tree}}\n{{/root}}\n", {{"root", {{"indent", ""}, {"name", "root"}, {"children", {leaf}}}}}),
              "root\n  leaf\n");
}

TEST_F(TemplatesTest, IndentsAPartialLikeItsTag) {
    folder_.write("tree.mustache", "{{name}} {\n{{#children}}\n    {{>tree}}\n{{/children}}\n}\n");
    const Json leaf = {{"name", "leaf"}, {"children", Json::array()}};
    const Json branch = {{"name", "branch"}, {"children", {leaf}}};
    EXPECT_EQ(render("{{#root}}\n  {{>tree}}\n{{/root}}\nend\n", {{"root", {{"name", "root"}, {"children", {branch, leaf}}}}}),
              "  root {\n      branch {\n          leaf {\n          }\n      }\n      leaf {\n      }\n  }\nend\n");
}

TEST_F(TemplatesTest, RejectsAnUnknownVariable) {
    const std::string message = error("one\ntwo\n{{name}} {{naem}}\n", {{"name", "a"}});
    expect_contains(message, place("main.mustache:3: "));
    expect_contains(message, "\"naem\"");
    expect_contains(message, "the other templates");
}

TEST_F(TemplatesTest, RejectsAnUnknownSection) {
    expect_contains(error("\n{{#lits}}\n{{/lits}}\n"), place("main.mustache:2: "));
    expect_contains(error("\n\n{{^lits}}\n{{/lits}}\n"), place("main.mustache:3: "));
}

TEST_F(TemplatesTest, NamesThePartialWithAnUnknownVariable) {
    folder_.write("part.mustache", "\n{{nothing}}\n");
    expect_contains(error("{{>part}}"), place("part.mustache:2: "));
}

TEST_F(TemplatesTest, NamesTheLineOfTheUnknownNameItself) {
    expect_contains(error("{{names}}\n{{name}}\n", {{"names", "all"}}), place("main.mustache:2: "));
}

TEST_F(TemplatesTest, RejectsAnUnknownPartial) {
    const std::string message = error("\n{{>nowhere}}\n");
    expect_contains(message, place("main.mustache:2: "));
    expect_contains(message, "\"nowhere\"");
    // The message must call the missing partial a template and not a variable.
    expect_contains(message, "template \"nowhere\"");
}

TEST_F(TemplatesTest, RejectsAnUnclosedSection) {
    const std::string message = error("one\n{{#list}}\n{{value}}\n", {{"list", {"a"}}});
    expect_contains(message, place("main.mustache"));
    expect_contains(message, "list");
    expect_contains(message, "the tag");
}

TEST_F(TemplatesTest, RejectsAnUnclosedTag) {
    const std::string message = error("one {{name\n", {{"name", "a"}});
    expect_contains(message, place("main.mustache"));
    expect_contains(message, "the tag");
}

TEST_F(TemplatesTest, RejectsAnUnclosedPartialTag) {
    folder_.write("part.mustache", "part");
    expect_contains(error("one\n{{>part\n"), place("main.mustache"));
}

TEST_F(TemplatesTest, ReportsAMissingTemplateAndAMissingFolder) {
    const Data data = to_data(Json::object());
    const std::string missing = input_error_of([&] { Templates(folder_.path()).render("group.hpp", {&data}); });
    expect_contains(missing, place("group.hpp.mustache"));
    expect_contains(missing, "does not exist");
    const std::string message = input_error_of([&] { Templates(folder_.below("none")); });
    expect_contains(message, place("none"));
    expect_contains(message, "is not a folder");
    expect_contains(message, "--templates");
}

TEST_F(TemplatesTest, IgnoresFilesWithAnotherExtension) {
    folder_.write("main.mustache~", "{{broken");
    folder_.write("notes.txt", "{{broken");
    EXPECT_EQ(render("fine"), "fine");
}

}  // namespace
}  // namespace cubind::testing
