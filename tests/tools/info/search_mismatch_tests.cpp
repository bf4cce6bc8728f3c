// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// What find_mismatches reads from the messages of a real search.
#include "gather.hpp"
#include "mismatches.hpp"

#include <gmock/gmock.h>

#include "loader_test.hpp"

namespace cubind::testing {

using ::testing::HasSubstr;

class SearchMismatchTest : public LoaderTest {
protected:
    /// The only mismatch of a machine whose driver is in order and that has this row.
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

TEST_F(SearchMismatchTest, AnotherMajorInAToolkitIsRefused) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + refused_soname);
    EXPECT_EQ(mismatch().id, "major_refused");
    EXPECT_EQ(mismatch().text, "The stand-in library was found in a major that cubind cannot use (" + file +
                                   ": is of another major than 13, which is needed): install the one of CUDA 13, or set "
                                   "CUBIND_STAND_IN_LIBRARY to the absolute path of one of CUDA 13.");
}

TEST_F(SearchMismatchTest, AnotherMajorUnderTheRightNameIsRefused) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + soname);
    EXPECT_EQ(mismatch().id, "major_refused");
    EXPECT_THAT(mismatch().text, HasSubstr("(" + file + ": is major 12, but major 13 is needed)"));
}

TEST_F(SearchMismatchTest, AnOverrideThatIsRefusedIsTheOverridesFault) {
    const std::string file = place(12, "my.so");
    set(override_variable, file);
    EXPECT_EQ(mismatch().id, "override_unusable");
    EXPECT_THAT(mismatch().text, HasSubstr("(" + file + ": is major 12, but major 13 is needed)"));
}

TEST_F(SearchMismatchTest, AMissingDriverIsExplainedInOneLine) {
    Library& row = driver_row();
    row.name = "driver";
    info::Facts facts;
    facts.libraries = {info::gather_library({row, EntryPoints(nullptr, nullptr)})};
    const auto found = info::find_mismatches(facts);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].id, "driver_missing");
    EXPECT_EQ(found[0].text, "The library driver could not be loaded. Install the NVIDIA driver, or set "
                             "CUBIND_STAND_IN_LIBRARY=/absolute/path/of/the/library.");
}

}  // namespace cubind::testing
