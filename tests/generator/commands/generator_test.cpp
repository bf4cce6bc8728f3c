// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

#include <cstdlib>
#include <sys/wait.h>

namespace cubind::testing {
namespace fs = std::filesystem;
namespace {

/// Returns the names of the files that were added, changed or removed, one per line.
std::string changes(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after) {
    std::string names;
    for (const auto& [name, text] : after) {
        const auto old = before.find(name);
        if (old == before.end() || old->second != text) names += name + "\n";
    }
    for (const auto& entry : before) {
        if (!after.contains(entry.first)) names += entry.first + "\n";
    }
    return names;
}

}  // namespace

GeneratorTest::GeneratorTest() {
    const auto recursive = fs::copy_options::recursive;
    fs::copy(fs::path(CUBIND_GENERATOR_TESTS) / "commands/project", below(""), recursive);
    fs::copy(fs::path(CUBIND_REPOSITORY) / "templates", below("templates"), recursive);
    extract();
}

Outcome GeneratorTest::run_program(const std::string& program, const std::string& arguments) const {
    const std::string command = "cd '" + project_.path().string() + "' && '" + program + "' " + arguments + " >'" +
                                streams_.below("out").string() + "' 2>'" + streams_.below("error").string() + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, streams_.read("out"), streams_.read("error")};
}

void GeneratorTest::extract() const {
    const Outcome extracted = run("extract toy --include project/include");
    EXPECT_EQ(extracted.status, 0) << extracted.error;
}

void GeneratorTest::emit() const {
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
}

void GeneratorTest::expect_rejected(const std::string& arguments, const std::string& part) const {
    SCOPED_TRACE(arguments);
    const auto before = files();
    const Outcome rejected = run(arguments);
    if (rejected.status == 0) {
        ADD_FAILURE() << "the command succeeded; expected an error that contains: " << part;
        return;
    }
    EXPECT_EQ(rejected.status, 1);
    EXPECT_EQ(rejected.out, "");
    EXPECT_TRUE(rejected.error.starts_with("cubind-gen: ")) << rejected.error;
    expect_contains(rejected.error, part);
    EXPECT_EQ(changes(before, files()), "") << "a rejected command changed files";
}

void GeneratorTest::expect_specs_rejected(const std::string& part) const {
    for (const char* verb : {"emit", "emit --check", "model toy", "report"}) expect_rejected(verb, part);
}

}  // namespace cubind::testing
