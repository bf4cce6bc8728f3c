// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Mismatches that find_mismatches() derives from the messages of a real search.
#include <gmock/gmock.h>

#include "gather.hpp"
#include "loader_test.hpp"
#include "mismatches.hpp"

namespace cubind::testing {

using ::testing::HasSubstr;

class SearchMismatchTest : public LoaderTest {
protected:
    /// Returns the only mismatch of a machine with a working driver and this row.
    info::Mismatch mismatch() {
        info::LibraryFacts driver;
        driver.name = "driver";
        driver.found = true;
        info::Facts facts;
        facts.driver.usable = true;
        facts.driver.devices = {{0, "GPU", 90}};
        facts.libraries = {driver, info::gather_library({row_, EntryPoints(nullptr, nullptr)})};
        const auto found = info::find_mismatches(facts);
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? info::Mismatch() : found[0];
    }

    Library& row_ = toolkit_row();
};

TEST_F(SearchMismatchTest, ReportsAnotherMajorInAToolkit) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + refused_soname);
    EXPECT_EQ(mismatch().id, "major_refused");
    expect_contains_in_order(mismatch().text, {"stand-in", file + ": is of another major version than the required 13", "CUDA 13",
                                               "CUBIND_STAND_IN_LIBRARY"});
}

TEST_F(SearchMismatchTest, ReportsAnotherMajorUnderTheRightName) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + soname);
    EXPECT_EQ(mismatch().id, "major_refused");
    EXPECT_THAT(mismatch().text,
                HasSubstr("(" + file + ": is major 12, but major 13 is needed: its soname is libcubind_stand_in.so.12)"));
}

TEST_F(SearchMismatchTest, ReportsARejectedOverride) {
    const std::string file = place(12, "my.so");
    set(override_variable, file);
    EXPECT_EQ(mismatch().id, "override_unusable");
    EXPECT_THAT(mismatch().text, HasSubstr("(" + file + ": is major 12, but major 13 is needed)"));
}

TEST_F(SearchMismatchTest, ReportsAMissingDriverInOneLine) {
    Library& row = driver_row();
    row.name = "driver";
    info::Facts facts;
    facts.libraries = {info::gather_library({row, EntryPoints(nullptr, nullptr)})};
    const auto found = info::find_mismatches(facts);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].id, "driver_missing");
    expect_contains_in_order(found[0].text, {"driver", "Install the NVIDIA driver", "CUBIND_STAND_IN_LIBRARY="});
    EXPECT_EQ(found[0].text.find('\n'), std::string::npos);
}

}  // namespace cubind::testing
