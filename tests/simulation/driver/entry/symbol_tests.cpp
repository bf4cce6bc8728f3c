// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fnmatch.h>
#include <fstream>
#include <string>
#include <vector>

#include "machine/symbols.hpp"

namespace cubind::testing {
namespace {

// Returns the names and patterns in the first column of the table.
std::vector<std::string> documented_patterns() {
    std::vector<std::string> patterns;
    std::ifstream page(CUBIND_UNSIMULATED_FUNCTIONS);
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| `cu")) continue;
        const std::string column = line.substr(0, line.find('|', 1));
        for (std::size_t begin = column.find('`'); begin != std::string::npos; begin = column.find('`', begin)) {
            const std::size_t end = column.find('`', begin + 1);
            patterns.push_back(column.substr(begin + 1, end - begin - 1));
            begin = end + 1;
        }
    }
    return patterns;
}

// Returns the name without the suffix of a variant for another default stream.
std::string base_name(std::string name) {
    for (const char* const suffix : {"_ptds", "_ptsz"}) {
        if (name.ends_with(suffix)) name.resize(name.size() - 5);
    }
    return name;
}

TEST(SimSymbolsTest, AreSimulatedOrHaveAReasonInTheDocumentation) {
    std::vector<std::string> patterns = documented_patterns();
    ASSERT_GT(patterns.size(), 50u);
    std::vector<bool> is_used(patterns.size());
    const auto check = [&](const sim::Symbol& symbol) {
        const std::string base = base_name(symbol.name);
        bool is_documented = false;
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            const auto matches = [&](const char* name) { return fnmatch(patterns[i].c_str(), name, 0) == 0; };
            if (!matches(symbol.name) && !matches(base.c_str())) continue;
            is_documented = true;
            is_used[i] = true;
        }
        EXPECT_NE(is_documented, symbol.is_simulated)
            << symbol.name
            << (symbol.is_simulated ? " is simulated: remove it from" : " is not simulated: add it with a reason to")
            << " docs/unsimulated-functions.md";
    };
    for (const sim::Symbol& symbol : sim::all_symbols()) check(symbol);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        EXPECT_TRUE(is_used[i]) << "docs/unsimulated-functions.md: no symbol matches " << patterns[i];
    }
}

}  // namespace
}  // namespace cubind::testing
