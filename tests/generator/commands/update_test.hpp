// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/generator_test.hpp"

#include <algorithm>

namespace cubind::testing {

/// A project whose specs, code and pages are those of CUDA 13.4, and what takes in the next release.
class UpdateTest : public GeneratorTest {
protected:
    UpdateTest() {
        emit();
        EXPECT_EQ(run("pages").status, 0);
        before_ = files();
    }

    static constexpr const char* header = "include/toy.h";
    static constexpr const char* update = "update --include project/include";

    /// Makes the header one of this release, 1000 * major + 10 * minor, with these lines after toyClose.
    void change_header(const std::string& number, const std::string& lines) const {
        replace(header, "13040", number);
        replace(header, "toyStatus toyClose(toyBox box);\n", "toyStatus toyClose(toyBox box);\n" + lines);
        before_ = files();
    }
    /// Runs `update`, which must work, and gives what it says.
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
    /// Runs `update`, which must ask for a person's decision and leave every file as it was, and gives what it says.
    std::string expect_asked(const std::string& arguments = update) const {
        before_ = files();
        const Outcome asked = run(arguments);
        EXPECT_EQ(asked.status, 1);
        EXPECT_EQ(asked.error, "");
        expect_contains(asked.out, "Nothing was written");
        expect_untouched();
        return asked.out;
    }
    void expect_untouched() const { EXPECT_TRUE(files() == before_) << "a file was changed"; }
    /// Names of the files that have `part` in them.
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

inline void expect_lacks(const std::string& text, const std::string& part) {
    EXPECT_EQ(text.find(part), std::string::npos) << "\"" << part << "\" is in:\n" << text;
}

}  // namespace cubind::testing
