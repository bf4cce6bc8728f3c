// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The message about a missing symbol: the release that has it, the release that was found, and the remedy.
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderMissingSymbolTest : public LoaderTest {
protected:
    LoaderMissingSymbolTest() { set(override_variable, place(13, "stand_in.so")); }

    // Returns the message about a symbol of this release that the stand-in of CUDA 13.2 does not export.
    std::string message(const char* since, const char* removed = "") {
        EntryPoint& absent = entry_in(row_, symbol);
        absent.since = since;
        absent.removed = removed;
        EXPECT_EQ(address_of(absent), nullptr);
        EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
        return last_failure().detail;
    }

    static constexpr const char* symbol = "stand_in_of_the_future";
    Library& row_ = toolkit_row();
    const std::string file_ = below("stand_in.so") + " (stand-in, found via environment variable)";
};

TEST_F(LoaderMissingSymbolTest, NamesTheReleaseThatATooOldLibraryNeeds) {
    expect_contains_in_order(message("13.4"),
                             {symbol, "introduced in CUDA 13.4", file_, "CUDA 13.2", "toolkit", "CUDA 13.4 or newer"});
}

TEST_F(LoaderMissingSymbolTest, ComparesReleasesByNumber) {
    expect_contains_in_order(message("13.10"), {file_, "CUDA 13.2;", "toolkit", "CUDA 13.10 or newer"});
}

TEST_F(LoaderMissingSymbolTest, NamesTheReleaseThatATooOldDriverNeeds) {
    row_.from_os_loader_only = true;
    expect_contains_in_order(message("13.4"), {file_, "CUDA 13.2", "NVIDIA driver", "CUDA 13.4 or newer"});
}

TEST_F(LoaderMissingSymbolTest, NamesVersionsOfALibraryWithReleasesOfItsOwn) {
    row_.major = 0;
    row_.has_own_releases = true;
    row_.product = "Toy";
    row_.version_function = "stand_in_three_numbers";
    row_.version_form = VersionForm::three_numbers;
    const std::string text = message("2.20.0", "3.0.0");
    expect_contains_in_order(text, {symbol, "introduced in Toy 2.20.0", "dropped in Toy 3.0.0", file_, "Toy 2.19.3;",
                                    "Toy 2.20.0 or newer", "older than Toy 3.0.0"});
    EXPECT_EQ(text.find("CUDA"), std::string::npos) << text;
    EXPECT_EQ(text.find("toolkit"), std::string::npos) << text;
}

TEST_F(LoaderMissingSymbolTest, SuggestsACheckOfALibraryThatIsNewEnough) {
    expect_contains_in_order(message("12.4"), {symbol, "introduced in CUDA 12.4", file_, "CUDA 13.2", "does not export it",
                                               "check", "NVIDIA's own", "architecture"});
}

TEST_F(LoaderMissingSymbolTest, ReportsAnUnknownVersion) {
    row_.major = 0;
    row_.version_function = "no_such_function";
    expect_contains_in_order(message("12.4"), {symbol, "introduced in CUDA 12.4", file_, "unknown version", "does not export it",
                                               "toolkit", "CUDA 12.4 or newer"});
}

TEST_F(LoaderMissingSymbolTest, NamesTheReleaseThatDroppedTheSymbol) {
    expect_contains_in_order(message("12.0", "13.0"), {symbol, "introduced in CUDA 12.0", "dropped in CUDA 13.0", file_,
                                                       "CUDA 13.2", "toolkit", "CUDA 12.0 or newer", "older than CUDA 13.0"});
}

TEST_F(LoaderMissingSymbolTest, ReportsAnUnknownVersionForADroppedSymbol) {
    row_.version_function = nullptr;
    expect_contains_in_order(message("12.0", "13.0"), {file_, "unknown version", "does not export it", "toolkit",
                                                       "CUDA 12.0 or newer", "older than CUDA 13.0"});
}

TEST_F(LoaderMissingSymbolTest, RequiresANewerReleaseIfNoneIsKnown) {
    expect_contains_in_order(message(""), {file_, "CUDA 13.2", "does not export", symbol, "toolkit", "a newer release"});
}

}  // namespace cubind::testing
