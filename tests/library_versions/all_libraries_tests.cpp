// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the wrappers of every library, without the library and with the vendor's library of the release CUBIND_TEST_RELEASE.
#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <vector>

#include "wrapper_list.hpp"

namespace cubind::testing {

// Prints the name of a library instead of the bytes of the struct.
static void PrintTo(const TestedLibrary& library, std::ostream* out) {
    *out << library.name;
}

namespace {

using ::testing::HasSubstr;

class LibraryTest : public ::testing::TestWithParam<TestedLibrary> {};

TEST_P(LibraryTest, ListsEachEntryPointOnceInOrder) {
    const EntryPoints entries = GetParam().entries;
    const auto* const unordered =
        std::adjacent_find(entries.begin(), entries.end(), [](const EntryPoint* left, const EntryPoint* right) {
            return std::string_view(left->symbol) >= std::string_view(right->symbol);
        });
    EXPECT_EQ(unordered, entries.end()) << (*unordered)->symbol << " is not before the next symbol";
}

TEST_P(LibraryTest, ListsTheLibraryAndTheReleaseOfEachEntryPoint) {
    for (const EntryPoint* entry : GetParam().entries) {
        EXPECT_EQ(entry->library, GetParam().library) << entry->symbol;
        EXPECT_NE(std::string_view(entry->since), "") << entry->symbol;
    }
}

TEST_P(LibraryTest, HasTheEntryPointsOfTheSpec) {
    std::set<std::string_view> symbols;
    for (const Wrapper& wrapper : GetParam().list.wrappers) {
        if (!wrapper.is_variable) symbols.insert(wrapper.symbol);
    }
    std::set<std::string_view> bound;
    for (const EntryPoint* entry : GetParam().entries) bound.insert(entry->symbol);
    EXPECT_EQ(symbols, bound);
    EXPECT_EQ(bound.size(), GetParam().function_count);
}

TEST_P(LibraryTest, ReturnsTheSymbolAndTheReleaseOfEveryFunction) {
    for (const Wrapper& wrapper : GetParam().list.wrappers) {
        EXPECT_STREQ(wrapper.entry_point()->symbol, wrapper.symbol) << wrapper.name;
        EXPECT_STREQ(wrapper.available_since(), wrapper.since) << wrapper.name;
    }
}

TEST_P(LibraryTest, FailsInEveryFunctionIfTheLibraryIsMissing) {
    const std::string file = std::string("/no/such/folder/") + GetParam().name;
    setenv(GetParam().library->environment_variable, file.c_str(), 1);
    for (const Wrapper& wrapper : GetParam().list.wrappers) {
        EXPECT_FALSE(wrapper.has()) << wrapper.name;
        const int status = wrapper.call_with_zeros();
        const Failure& failure = last_failure();
        EXPECT_EQ(failure.reason, FailureReason::library_missing) << wrapper.name;
        EXPECT_STREQ(failure.library, GetParam().name) << wrapper.name;
        EXPECT_STREQ(failure.function, wrapper.symbol) << wrapper.name;
        EXPECT_THAT(failure.detail, HasSubstr(file)) << wrapper.name;
        EXPECT_EQ(failure.status, GetParam().library_missing) << wrapper.name;
        EXPECT_EQ(status, wrapper.returns_status ? GetParam().library_missing : wrapper.missing_value) << wrapper.name;
    }
    EXPECT_NE(GetParam().library_missing, 0) << "a missing library must not read as success";
    EXPECT_EQ(version(*GetParam().library), 0);
}

std::string name_of(const ::testing::TestParamInfo<TestedLibrary>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Libraries, LibraryTest, ::testing::ValuesIn(tested_libraries()), name_of);

// The override variable names a file of the tested release.
class RealLibraryTest : public ::testing::TestWithParam<TestedLibrary> {};

TEST_P(RealLibraryTest, HasTheFunctionsOfItsRelease) {
    const TestedLibrary& tested = GetParam();
    const char* const file = getenv(tested.library->environment_variable);
    if (file == nullptr || tested_release() == "") GTEST_SKIP() << "no release of the library is tested";
    ASSERT_TRUE(load(*tested.library)) << last_failure().detail;
    EXPECT_STREQ(library_path(*tested.library), file);
    const int known_version = version(*tested.library);
    EXPECT_TRUE(known_version == 0 || known_version == release_number(tested_release())) << known_version;
    const std::vector<std::string> found = {file, tested.library->name, "environment variable",
                                            known_version != 0 ? std::string(tested_release()) : "unknown"};
    std::size_t existing = 0;
    for (const Wrapper& wrapper : tested.list.wrappers) {
        EXPECT_EQ(wrapper.has(), tested.list.expects(wrapper)) << wrapper.name;
        if (!wrapper.has()) expect_missing_symbol(wrapper, tested.symbol_missing, found);
        if (wrapper.is_variable && wrapper.has()) {
            EXPECT_EQ(wrapper.call_with_zeros(), 0) << wrapper.name << " can be read";
        }
        existing += wrapper.has();
    }
    EXPECT_GT(existing, 0u);
}

INSTANTIATE_TEST_SUITE_P(Libraries, RealLibraryTest, ::testing::ValuesIn(tested_libraries()), name_of);

}  // namespace
}  // namespace cubind::testing
