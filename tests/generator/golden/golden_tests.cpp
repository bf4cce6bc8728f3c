// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A golden case is a folder here with a toy.h: one known trap of the vendor's headers, rebuilt in a few lines of our own.
// Beside it stands what the generator must make of it: api.json and those generated files that show the trap. A trap that only
// two releases show has a toy-12.0.h and a toy-13.4.h instead; they are merged in this order.
//
//     CUBIND_UPDATE_GOLDEN=1 ctest -R golden    rewrites the expectations; then read the diff
//
// A new case: make the folder with its toy.h, and empty files named like the expected ones, e.g. functions.hpp; then update.
#include "golden/golden_case.hpp"
#include "support/compiles.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cubind::testing {
namespace {

class Golden : public ::testing::TestWithParam<std::string> {
protected:
    static void compare(const GoldenCase& golden, const std::string& file, const std::string& text) {
        const auto expectation = golden.expectation(file);
        const char* update = std::getenv("CUBIND_UPDATE_GOLDEN");
        if (update != nullptr && std::string(update) == "1") return write_file(expectation, text);
        ASSERT_TRUE(std::filesystem::exists(expectation)) << expectation << " is missing; set CUBIND_UPDATE_GOLDEN=1 to write it";
        EXPECT_EQ(read_file(expectation), text) << "of " << expectation;
    }
};

TEST_P(Golden, facts_are_as_expected) {
    const GoldenCase golden(GetParam());
    compare(golden, "api.json", golden.facts());
}

TEST_P(Golden, generated_files_are_as_expected) {
    const GoldenCase golden(GetParam());
    const auto files = golden.expected_files();
    ASSERT_FALSE(files.empty()) << "no generated file is expected; the case proves too little";
    for (const auto& file : files) compare(golden, file, golden.generated().at(file));
}

TEST_P(Golden, generated_code_compiles) {
    const GoldenCase golden(GetParam());
    for (const auto& [file, text] : golden.generated()) {
        if (!file.ends_with(".cpp")) continue;
        EXPECT_EQ(compile_errors(text, golden.includes()), "") << "in " << file;
    }
    std::string headers;
    for (const auto& header : golden.public_headers()) headers += "#include <" + header + ">\n";
    EXPECT_EQ(compile_errors(headers, golden.includes()), "") << "in\n" << headers;
}

TEST_P(Golden, generated_headers_agree_with_the_vendors) {
    const GoldenCase golden(GetParam());
    const std::string all = "#include <cubind/toy.hpp>\n";
    const std::string vendor = "#include <toy.h>\n";
    const std::string proofs = "#include <cubind/toy/vendor_layout.hpp>\n";
    std::vector<std::vector<std::string>> defines = {{}};
    if (!golden.per_thread_macro().empty()) defines.push_back({golden.per_thread_macro()});
    for (const auto& release : golden.releases()) {
        // Conversions fit the releases that the library is bound to; the rest must not mind any.
        const std::string used = release.is_bound ? proofs : "";
        for (const auto& defined : defines) {
            SCOPED_TRACE("with the headers of CUDA " + release.number);
            EXPECT_EQ(compile_errors(all, golden.includes(), release.includes, defined), "");
            EXPECT_EQ(compile_errors(vendor + all + used, golden.includes(), release.includes, defined), "") << "vendor first";
            EXPECT_EQ(compile_errors(all + vendor + used, golden.includes(), release.includes, defined), "") << "vendor last";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Traps, Golden, ::testing::ValuesIn(GoldenCase::names()), [](const auto& trap) { return trap.param; });

TEST(GoldenFolder, holds_cases) {
    EXPECT_GE(GoldenCase::names().size(), 28U);
}

}  // namespace
}  // namespace cubind::testing
