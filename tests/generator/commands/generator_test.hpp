// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace cubind::testing {

/// How a run of cubind-gen ended.
struct Outcome {
    int status = -1;
    std::string out;
    std::string error;
};

/// A project of its own in a scratch folder, a copy of commands/project with the repository's templates, on which each test
/// runs the real program.
class GeneratorTest : public ::testing::Test {
protected:
    GeneratorTest();

    /// Runs `cubind-gen --root PROJECT arguments`.
    Outcome run(const std::string& arguments) const { return run_bare("--root project " + arguments); }
    /// Runs `cubind-gen arguments` in the scratch folder.
    Outcome run_bare(const std::string& arguments) const;
    /// Reads the headers again; expects that this works.
    void extract() const;
    /// Writes the code; expects that this works.
    void emit() const;
    /// Expects status 1, a message with `part` in it, nothing on standard output, and every file as it was before.
    void expect_refused(const std::string& arguments, const std::string& part) const;
    /// The same of `emit`, `emit --check`, `model toy` and `report`: all read the specs.
    void expect_specs_refused(const std::string& part) const;

    void write(const std::string& file, const std::string& text) const { project_.write("project/" + file, text); }
    void replace(const std::string& file, const std::string& before, const std::string& now) const {
        project_.replace("project/" + file, before, now);
    }
    std::filesystem::path below(const std::string& file) const { return project_.below("project/" + file); }
    std::string read(const std::string& file) const { return project_.read("project/" + file); }
    std::map<std::string, std::string> files() const { return project_.files(); }

    static constexpr const char* library = "api-specs/toy/library.json";
    static constexpr const char* overrides = "api-specs/toy/overrides.json";
    static constexpr const char* facts = "api-specs/toy/api.json";

private:
    ScratchFolder project_;
    ScratchFolder streams_;
};

}  // namespace cubind::testing
