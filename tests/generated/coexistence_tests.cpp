// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coexistence.hpp"

namespace cubind::testing {

// Prints the name of a case instead of the bytes of the struct.
static void PrintTo(const Mode& mode, std::ostream* stream) {
    *stream << mode.name;
}

namespace {

// CMake defines SPEC, a file to include. It defines ADAPTERS, and the numbers of names and of per-thread names that are expected.
#include SPEC

// Returns the symbol that an inline function of the vendor calls after it changed an argument.
std::string_view symbol_of(std::string_view vendor_name) {
    for (const auto& [name, symbol] : adapters) {
        if (name == vendor_name) return symbol;
    }
    return vendor_name;
}

const Mode modes[] = {
    {"none_legacy", vendor_legacy, names_none_legacy, calls_none_legacy},
    {"before_legacy", vendor_legacy, names_before_legacy, calls_before_legacy},
    {"after_legacy", vendor_legacy, names_after_legacy, calls_after_legacy},
#ifdef HAS_PER_THREAD
    {"none_per_thread", vendor_per_thread, names_none_per_thread, calls_none_per_thread},
    {"before_per_thread", vendor_per_thread, names_before_per_thread, calls_before_per_thread},
    {"after_per_thread", vendor_per_thread, names_after_per_thread, calls_after_per_thread},
#endif
};

class CoexistenceTest : public ::testing::TestWithParam<Mode> {};

TEST_P(CoexistenceTest, BindsEveryNameToTheSymbolOfTheVendorsHeader) {
    const Meanings expected = GetParam().expected();
    const Meanings found = GetParam().names();
    ASSERT_GE(found.size(), minimum_names);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_STREQ(found[i].name, expected[i].name);
        EXPECT_EQ(found[i].symbol, symbol_of(expected[i].symbol)) << found[i].name;
    }
}

TEST_P(CoexistenceTest, ResolvesTheSymbolOfTheVendorsHeader) {
    // Without a library, each call fails and last_failure() names the symbol that it tried to resolve.
    setenv(OVERRIDE_VARIABLE, "/no/such/library", 1);
    const Meanings expected = GetParam().expected();
    const Meanings found = GetParam().calls();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_STREQ(found[i].name, expected[i].name);
        EXPECT_EQ(found[i].symbol, symbol_of(expected[i].symbol)) << found[i].name;
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, CoexistenceTest, ::testing::ValuesIn(modes),
                         [](const auto& mode) { return std::string(mode.param.name); });

#ifdef HAS_PER_THREAD
// Checks that the macro has an effect. Otherwise the per-thread cases above would be equal to the legacy ones.
TEST(CoexistenceModesTest, DifferInThePerThreadNames) {
    std::size_t different = 0;
    const Meanings legacy = vendor_legacy();
    const Meanings per_thread = vendor_per_thread();
    ASSERT_EQ(legacy.size(), per_thread.size());
    for (std::size_t i = 0; i < legacy.size(); ++i) {
        different += std::string_view(legacy[i].symbol) != per_thread[i].symbol;
    }
    EXPECT_EQ(different, per_thread_names);
}
#endif

}  // namespace
}  // namespace cubind::testing
