// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <vector>

#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Returns the lines of a generated file without its banner, which holds a hash of the others.
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    if (!lines.empty()) lines.erase(lines.begin());
    return lines;
}

/// Returns the first line of `before` that `after` changes, moves or removes; empty if `after` only adds lines.
std::string first_changed_line(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::size_t next = 0;
    for (const auto& line : after) {
        if (next < before.size() && before[next] == line) ++next;
    }
    return next == before.size() ? "" : "\"" + before[next] + "\"";
}

/// A change of a header must change only the lines of generated code that state it, see docs/new-release.md.
class AdditionsTest : public GeneratorTest {
protected:
    AdditionsTest() {
        replace(library, "\"library\": \"toy\",",
                "\"library\": \"toy\", \"simulated\": {\"namespace\": \"sim\", \"header\": \"toy.hpp\"},");
        extract();
        emit();
    }

    /// Reads the changed header and expects that no line of any generated file changes, and that `expected` lines are added to
    /// reflection.cpp.
    void expect_additions(std::size_t expected) {
        const auto before = files();
        extract();
        emit();
        const auto after = files();
        std::size_t compared = 0;
        for (const auto& [file, text] : before) {
            if (file.find("/generated/") == std::string::npos) continue;
            ++compared;
            ASSERT_TRUE(after.contains(file)) << file;
            EXPECT_EQ(first_changed_line(lines_of(text), lines_of(after.at(file))), "") << "of " << file;
        }
        EXPECT_EQ(compared, 24U);
        const std::string tables = "project/generated/toy/src/reflection.cpp";
        EXPECT_EQ(lines_of(after.at(tables)).size(), lines_of(before.at(tables)).size() + expected);
    }

    static constexpr const char* header = "include/toy.h";
};

TEST_F(AdditionsTest, AFunctionThatSortsFirstChangesNoOtherLine) {
    replace(header, "toyStatus toyOpen(", "toyStatus toyAbsorb(toyBox box, double amount);\ntoyStatus toyOpen(");
    // The lines are: the index of the function, four for its parameters, its row, and two for the type double.
    expect_additions(1 + 4 + 1 + 2);
}

TEST_F(AdditionsTest, ATypeThatSortsFirstChangesNoOtherLine) {
    replace(header, "toyStatus toyOpen(",
            "typedef struct toyBag_st {\n    toyBox box;\n    float weight;\n} toyBag;\n"
            "toyStatus toyAbsorb(const toyBag *bag);\ntoyStatus toyOpen(");
    // The lines are: two for each of float, toyBag_st, toyBag and const toyBag*, the fields of toyBag_st, and the function.
    expect_additions(4 * 2 + 4 + 1 + 3 + 1);
}

TEST_F(AdditionsTest, AnEnumeratorChangesNoOtherLine) {
    replace(header, "    TOY_NO_LIBRARY = 1,", "    TOY_BUSY = 7,\n    TOY_NO_LIBRARY = 1,");
    replace(overrides, "\"TOY_NO_LIBRARY\":", "\"TOY_BUSY\": \"The toy is in use.\", \"TOY_NO_LIBRARY\":");
    expect_additions(1);
}

}  // namespace
}  // namespace cubind::testing
