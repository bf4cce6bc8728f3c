// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/scratch_folder.hpp"

namespace cubind::testing {

/// The exit status and the output of a run of cubind-gen.
struct Outcome {
    int status = -1;
    std::string out;
    std::string error;
};

/// Runs cubind-gen on a copy of commands/project, with the repository's templates, in a temporary folder.
class GeneratorTest : public ::testing::Test {
protected:
    GeneratorTest();

    /// Runs `cubind-gen --root PROJECT arguments`.
    Outcome run(const std::string& arguments) const { return run_without_root("--root project " + arguments); }
    /// Runs `cubind-gen arguments` in the scratch folder.
    Outcome run_without_root(const std::string& arguments) const { return run_program(CUBIND_GEN, arguments); }
    /// Runs a copy of cubind-gen in the scratch folder.
    Outcome run_program(const std::string& program, const std::string& arguments) const;
    /// Extracts the headers again and expects success.
    void extract() const;
    /// Writes the code and expects success.
    void emit() const;
    /// Expects status 1, a message that contains `part`, nothing on standard output, and no changed file.
    void expect_rejected(const std::string& arguments, const std::string& part) const;
    /// Expects that every command that reads the specs is rejected with `part`: `emit`, `emit --check`, `model toy` and `report`.
    void expect_specs_rejected(const std::string& part) const;

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
