// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A golden case is a folder with a header toy.h, which reproduces one difficult construct of the vendor's headers in a few new
// lines. The folder also holds the expected output: api.json and the generated files that depend on the construct. A case that
// requires two releases has toy-12.0.h and toy-13.4.h instead, which are merged in this order.
//
//     CUBIND_UPDATE_GOLDEN=1 ctest -R golden    rewrites the expectations; review the diff afterwards
//
// To add a case, create the folder with its toy.h and with empty files that have the names of the expected files, such as
// functions.hpp. Then update the expectations.
//
// The files of a kind have most lines in common. An expectation that begins with `// 76 lines as in records, and:` holds only the lines
// that the file of the case `records` does not have. To expect so little of a new case, write such a line instead of an empty file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "golden/golden_case.hpp"
#include "support/compiles.hpp"

namespace cubind::testing {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Returns the text that is expected of a generated file. If `expectation` says that it holds only lines that another case does not
/// have, it is the number of lines that both cases have, and the other lines.
std::string comparable(const std::string& file, const std::string& text, const std::string& expectation) {
    static const std::regex first_line("// [0-9]+ lines as in ([a-z_]+), and:");
    const std::string line_of_case = expectation.substr(0, expectation.find('\n'));
    std::smatch match;
    if (!std::regex_match(line_of_case, match, first_line)) return text;
    const auto other = lines_of(GoldenCase(match[1]).generated().at(file));
    std::multiset<std::string> others(other.begin(), other.end());
    std::size_t common = 0;
    std::string own;
    for (const std::string& line : lines_of(text)) {
        if (const auto found = others.find(line); found != others.end()) {
            others.erase(found);
            ++common;
        } else {
            own += line + "\n";
        }
    }
    return "// " + std::to_string(common) + " lines as in " + match[1].str() + ", and:\n" + own;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {
protected:
    static void compare(const GoldenCase& golden, const std::string& file, const std::string& text) {
        const auto expectation = golden.expectation(file);
        const char* update = std::getenv("CUBIND_UPDATE_GOLDEN");
        const bool updates = update != nullptr && std::string(update) == "1";
        const bool exists = std::filesystem::exists(expectation);
        ASSERT_TRUE(exists || updates) << expectation << " is missing; set CUBIND_UPDATE_GOLDEN=1 to write it";
        const std::string expected = exists ? read_file(expectation) : "";
        const std::string compared = comparable(file, text, expected);
        if (updates) return write_file(expectation, compared);
        EXPECT_EQ(expected, compared) << "of " << expectation;
    }
};

TEST_P(GoldenTest, FactsMatchTheExpectation) {
    const GoldenCase golden(GetParam());
    compare(golden, "api.json", golden.facts());
}

TEST_P(GoldenTest, GeneratedFilesMatchTheExpectation) {
    const GoldenCase golden(GetParam());
    const auto files = golden.expected_files();
    ASSERT_FALSE(files.empty()) << "the case has no expected generated file";
    for (const auto& file : files) compare(golden, file, golden.generated().at(file));
}

TEST_P(GoldenTest, GeneratedCodeCompiles) {
    const GoldenCase golden(GetParam());
    for (const auto& [file, text] : golden.generated()) {
        if (!file.ends_with(".cpp")) continue;
        EXPECT_EQ(compile_errors(text, golden.includes()), "") << "in " << file;
    }
    std::string headers;
    for (const auto& header : golden.public_headers()) headers += "#include <" + header + ">\n";
    EXPECT_EQ(compile_errors(headers, golden.includes()), "") << "in\n" << headers;
}

TEST_P(GoldenTest, GeneratedHeadersAgreeWithTheVendors) {
    const GoldenCase golden(GetParam());
    const std::string all = "#include <cubind/toy.hpp>\n";
    const std::string vendor = "#include <toy.h>\n";
    std::vector<std::vector<std::string>> defines = {{}};
    if (!golden.per_thread_macro().empty()) defines.push_back({golden.per_thread_macro()});
    for (const auto& release : golden.releases()) {
        // The headers with conversions and layouts compile only with the bound releases. All other headers must compile with
        // every release.
        const std::string conversions = release.is_bound ? "#include <cubind/toy/vendor_layout.hpp>\n" : "";
        for (const auto& defined : defines) {
            SCOPED_TRACE("with the headers of release " + release.number);
            EXPECT_EQ(compile_errors(all, golden.includes(), release.includes, defined), "");
            EXPECT_EQ(compile_errors(vendor + all + conversions, golden.includes(), release.includes, defined), "")
                << "vendor first";
            EXPECT_EQ(compile_errors(all + vendor + conversions, golden.includes(), release.includes, defined), "")
                << "vendor last";
            if (golden.side_includes().empty()) continue;
            std::vector<std::filesystem::path> includes = release.includes;
            includes.push_back(golden.foreign_includes());
            const std::string side = golden.side_includes();
            EXPECT_EQ(compile_errors(side + all + conversions, golden.includes(), includes, defined), "") << "side headers first";
            EXPECT_EQ(compile_errors(all + side + conversions, golden.includes(), includes, defined), "") << "side headers last";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest, ::testing::ValuesIn(GoldenCase::names()),
                         [](const auto& folder) { return folder.param; });

TEST(GoldenFolderTest, HoldsCases) {
    EXPECT_GE(GoldenCase::names().size(), 28U);
}

}  // namespace
}  // namespace cubind::testing
