// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Texts of library.json and overrides.json that would change the meaning of generated code, of CMake, or of a path.
class BadTextsTest : public GeneratorTest {
protected:
    void expect_rejected_with(const std::string& file, const std::string& before, const std::string& now,
                              const std::string& part) const {
        SCOPED_TRACE(now);
        const std::string good = read(file);
        replace(file, before, now);
        expect_specs_rejected("project/" + file + part);
        write(file, good);
    }
    /// Expects that the text under a key of library.json, which is added or replaces another, is refused with the key.
    void expect_library_rejected(const std::string& before, const std::string& now, const std::string& key) const {
        expect_rejected_with(library, before, now, "/" + key + ": ");
    }
};

TEST_F(BadTextsTest, RejectsControlCharactersInEachFile) {
    expect_rejected_with(library, "toy library", "toy\\u0001library", "/title: \"toy\\u0001library\" holds a control character");
    expect_rejected_with(library, "\"TOY_BOX\"", "\"TOY\\nBOX\"", "/groups: \"TOY\\nBOX\" holds a control character");
    expect_rejected_with(overrides, "The toy works.", "The toy\\tworks.", "/descriptions/TOY_OK: ");
}

TEST_F(BadTextsTest, RejectsTextsOfComments) {
    expect_library_rejected("toy library", "toy \\\\", "title");
    expect_library_rejected("https://toy.example/", "file:///", "documentation");
    expect_library_rejected("https://toy.example/", "https://toy.example/ \\\\", "documentation");
    expect_rejected_with(overrides, "The toy works.", "The \\\"toy\\\" works.", "/descriptions/TOY_OK: ");
    expect_rejected_with(overrides, "{\n", "{\n\"objects\": {\"box\\\"\": {\"begin\": {}}},", "/objects: ");
}

TEST_F(BadTextsTest, RejectsNamesOfMacros) {
    expect_library_rejected("\"macro\": \"TOY_VERSION\"", "\"macro\": \"TOY VERSION\"", "release/macro");
    expect_library_rejected("\"status\"", "\"per_thread_macro\": \"1TOY\", \"status\"", "per_thread_macro");
    expect_library_rejected("\"status\"", "\"views\": [{\"name\": \"in ner\", \"defines\": []}], \"status\"",
                            "views/0 (in ner)/name");
    expect_library_rejected("\"status\"", "\"views\": [{\"name\": \"a\", \"defines\": [\"A B\"]}], \"status\"",
                            "views/0 (a)/defines/0");
}

TEST_F(BadTextsTest, RejectsPathsThatLeaveTheirFolder) {
    for (const char* path : {"../toy", "/toy", "toy/../box", "toy//box", "toy/.", "a b", "toy;box", "$ORIGIN/lib", ""}) {
        const std::string quoted = "\"" + std::string(path) + "\"";
        expect_library_rejected("\"file_names\"", "\"wheel_directories\": [" + quoted + "], \"file_names\"",
                                "loading/wheel_directories/0");
        expect_library_rejected("[\"toy.h\"]", "[" + quoted + "]", "headers/0");
        expect_library_rejected("\"status\"", "\"packages\": {\"files\": [" + quoted + "]}, \"status\"", "packages/files/0");
    }
    for (const char* name : {"lib/libtoy.so.1", "..", "lib toy.so"}) {
        expect_library_rejected("libtoy.so.1", name, "loading/file_names/0");
    }
}

TEST_F(BadTextsTest, RejectsNamesInCode) {
    expect_library_rejected("\"status\"", "\"uses\": [\"../driver\"], \"status\"", "uses/0");
    expect_library_rejected("\"status\"", "\"simulated\": {\"namespace\": \"sim;\", \"header\": \"sim.hpp\"}, \"status\"",
                            "simulated/namespace");
    expect_library_rejected("\"file_names\"", "\"fallback_symbol\": \"{symbol}\\\"\", \"file_names\"", "loading/fallback_symbol");
    expect_rejected_with(overrides, "\"width\": \"1\"", "\"width\": \"1; int x\"", "/initial_values/toySize_st/width: ");
    expect_rejected_with(overrides, "\"width\": \"1\"", "\"width\": \"inf\"", ": initial_values/toySize_st/width: ");
}

TEST_F(BadTextsTest, NamesWhatIsAllowed) {
    expect_rejected_with(library, "libtoy.so.1", "../libtoy.so.1",
                         "/loading/file_names/0: \"../libtoy.so.1\" is not allowed; write the name of a file, without a folder");
}

}  // namespace
}  // namespace cubind::testing
