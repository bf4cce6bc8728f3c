// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the list of all entry points of a library.
#include <cubind/driver.hpp>
#include <cubind/nvjitlink.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string_view>

namespace cubind::testing {
namespace {

struct Case {
    const char* name;
    Library& library;
    EntryPoints entries;
    std::ptrdiff_t min_entries;
};

void PrintTo(const Case& library, std::ostream* out) {
    *out << library.name;
}

class AllEntryPointsTest : public ::testing::TestWithParam<Case> {};

TEST_P(AllEntryPointsTest, ListsEachSymbolOnceInOrder) {
    const EntryPoints entries = GetParam().entries;
    EXPECT_GE(entries.end() - entries.begin(), GetParam().min_entries);
    const auto* const unordered =
        std::adjacent_find(entries.begin(), entries.end(), [](const EntryPoint* left, const EntryPoint* right) {
            return std::string_view(left->symbol) >= std::string_view(right->symbol);
        });
    EXPECT_EQ(unordered, entries.end()) << (*unordered)->symbol << " is not before the next symbol";
}

TEST_P(AllEntryPointsTest, ListsTheLibraryAndTheReleaseOfEachEntryPoint) {
    for (const EntryPoint* entry : GetParam().entries) {
        EXPECT_EQ(entry->library, &GetParam().library) << entry->symbol;
        EXPECT_NE(std::string_view(entry->since), "") << entry->symbol;
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, AllEntryPointsTest,
                         ::testing::Values(Case{"driver", driver::library(), driver::all_entry_points(), 600},
                                           Case{"runtime", runtime::library(), runtime::all_entry_points(), 400},
                                           Case{"nvrtc", nvrtc::library(), nvrtc::all_entry_points(), 25},
                                           Case{"nvjitlink", nvjitlink::library(), nvjitlink::all_entry_points(), 14}),
                         [](const auto& library) { return library.param.name; });

TEST(DriverEntryPointsTest, ContainTheEntryPointsOfTheWrappers) {
    const auto entries = driver::all_entry_points();
    const auto wrapper = reinterpret_cast<void (*)()>(&driver::cuMemAlloc_v2);
    EXPECT_NE(std::find(entries.begin(), entries.end(), driver::entry_point_of(wrapper)), entries.end());
}

}  // namespace
}  // namespace cubind::testing
