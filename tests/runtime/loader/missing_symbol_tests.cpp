// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What the message of a missing symbol says: the release that has it, the one that was found, and what to do.
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderMissingSymbolTest : public LoaderTest {
protected:
    LoaderMissingSymbolTest() { set(override_variable, place(13, "stand_in.so")); }

    // The message about a symbol of this release that the stand-in, which is of CUDA 13.2, does not have.
    std::string message(const char* since, const char* removed = "") {
        EntryPoint& absent = entry_in(row_, "stand_in_of_the_future");
        absent.since = since;
        absent.removed = removed;
        EXPECT_EQ(address_of(absent), nullptr);
        EXPECT_EQ(last_failure().reason, FailureReason::symbol_missing);
        return last_failure().detail;
    }

    Library& row_ = toolkit_row();
    const std::string file_ = below("stand_in.so") + " (stand-in, found via environment variable)";
};

TEST_F(LoaderMissingSymbolTest, TheLibraryIsTooOld) {
    EXPECT_EQ(message("13.4"), "stand_in_of_the_future was introduced in CUDA 13.4, and " + file_ +
                                   " is of CUDA 13.2; a toolkit of CUDA 13.4 or newer is needed.");
}

TEST_F(LoaderMissingSymbolTest, ReleasesAreComparedByNumberAndNotByText) {
    expect_contains(message("13.10"), "is of CUDA 13.2; a toolkit of CUDA 13.10 or newer is needed.");
}

TEST_F(LoaderMissingSymbolTest, ADriverIsTooOld) {
    row_.from_os_loader_only = true;
    expect_contains(message("13.4"), "is of CUDA 13.2; an NVIDIA driver for CUDA 13.4 or newer is needed.");
}

TEST_F(LoaderMissingSymbolTest, TheLibraryIsNewEnoughAllTheSame) {
    EXPECT_EQ(message("12.4"), "stand_in_of_the_future was introduced in CUDA 12.4, and " + file_ +
                                   " is of CUDA 13.2 and does not export it, though that release should: check that the file "
                                   "is NVIDIA's own and made for this kind of machine.");
}

TEST_F(LoaderMissingSymbolTest, TheVersionIsUnknown) {
    row_.major = 0;
    row_.version_function = "no_such_function";
    EXPECT_EQ(message("12.4"), "stand_in_of_the_future was introduced in CUDA 12.4, and " + file_ +
                                   " is of unknown version and does not export it; a toolkit of CUDA 12.4 or newer is "
                                   "needed.");
}

TEST_F(LoaderMissingSymbolTest, ANewerReleaseDroppedIt) {
    EXPECT_EQ(message("12.0", "13.0"),
              "stand_in_of_the_future was introduced in CUDA 12.0 and dropped in CUDA 13.0, and " + file_ +
                  " is of CUDA 13.2; a toolkit of CUDA 12.0 or newer, but older than CUDA 13.0 is needed.");
}

TEST_F(LoaderMissingSymbolTest, ItWasDroppedAndTheVersionIsUnknown) {
    row_.version_function = nullptr;
    expect_contains(message("12.0", "13.0"), "is of unknown version and does not export it; a toolkit of CUDA 12.0 or newer, "
                                             "but older than CUDA 13.0 is needed.");
}

TEST_F(LoaderMissingSymbolTest, NoReleaseIsKnown) {
    EXPECT_EQ(message(""), file_ + " is of CUDA 13.2 and does not export stand_in_of_the_future; a toolkit of a newer release "
                                   "is needed.");
}

}  // namespace cubind::testing
