// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "commands/generator_test.hpp"

namespace cubind::testing {

/// A project with the specs, code and pages of CUDA 13.4, and functions that update it to another release.
class UpdateTest : public GeneratorTest {
protected:
    UpdateTest() {
        emit();
        EXPECT_EQ(run("pages").status, 0);
        before_ = files();
    }

    static constexpr const char* header = "include/toy.h";
    static constexpr const char* update = "update --include project/include";

    /// Changes the header's release to `number`, which is 1000 * major + 10 * minor, and adds `lines` after toyClose.
    void change_header(const std::string& number, const std::string& lines) const {
        replace(header, "13040", number);
        replace(header, "toyStatus toyClose(toyBox box);\n", "toyStatus toyClose(toyBox box);\n" + lines);
        before_ = files();
    }
    /// Runs `update`, expects success, and returns its output.
    std::string expect_updated(const std::string& arguments = update) const {
        const Outcome updated = run(arguments);
        EXPECT_EQ(updated.status, 0) << updated.out;
        EXPECT_EQ(updated.error, "");
        for (const char* check : {"emit --check", "pages --check"}) {
            const Outcome checked = run(check);
            EXPECT_EQ(checked.status, 0) << check << ": " << checked.error;
        }
        return updated.out;
    }
    /// Runs `update`, expects a question and no changed file, and returns the output.
    std::string expect_questions(const std::string& arguments = update) const {
        before_ = files();
        const Outcome asked = run(arguments);
        EXPECT_EQ(asked.status, 1);
        EXPECT_EQ(asked.error, "");
        expect_contains(asked.out, "Nothing was written");
        expect_unchanged();
        return asked.out;
    }
    void expect_unchanged() const { EXPECT_TRUE(files() == before_) << "a file was changed"; }
    /// Returns the names of the files that contain `part`.
    std::vector<std::string> files_with(const std::string& part) const {
        std::vector<std::string> found;
        for (const auto& [name, text] : files()) {
            if (text.find(part) != std::string::npos) found.push_back(name);
        }
        return found;
    }

private:
    mutable std::map<std::string, std::string> before_;
};

inline void expect_not_contains(const std::string& text, const std::string& part) {
    EXPECT_EQ(text.find(part), std::string::npos) << "\"" << part << "\" is in:\n" << text;
}

}  // namespace cubind::testing
