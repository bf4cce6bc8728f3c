// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The version that a library reports.
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderVersionTest : public LoaderTest {
protected:
    void make_available(int major) { set(override_variable, place(major, "stand_in.so")); }
    void expect_unknown() {
        EXPECT_EQ(version(row_), 0);
        EXPECT_EQ(version(row_), 0);
        EXPECT_EQ(last_failure().reason, FailureReason::none);
    }

    Library& row_ = toolkit_row();
};

TEST_F(LoaderVersionTest, ReturnsOneNumberUnchanged) {
    make_available(13);
    EXPECT_EQ(version(row_), 13020);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
}

TEST_F(LoaderVersionTest, CombinesMajorAndMinor) {
    row_.version_function = "stand_in_major_and_minor";
    row_.version_in_two_numbers = true;
    make_available(13);
    EXPECT_EQ(version(row_), 13020);
}

TEST_F(LoaderVersionTest, ChecksTheMajorInBothForms) {
    row_.version_function = "stand_in_major_and_minor";
    row_.version_in_two_numbers = true;
    make_available(12);
    expect_contains(message_of_missing(row_), "is major 12, but major 13 is needed");
    EXPECT_EQ(version(row_), 0);
}

TEST_F(LoaderVersionTest, AcceptsAnyMajorIfNoneIsRequired) {
    row_.major = 0;
    make_available(12);
    EXPECT_TRUE(load(row_)) << last_failure().detail;
    EXPECT_EQ(version(row_), 12020);
}

TEST_F(LoaderVersionTest, CallsTheVersionFunctionOnce) {
    make_available(13);
    EXPECT_EQ(version(row_), 13020);
    row_.version_function = "no_such_function";
    EXPECT_EQ(version(row_), 13020);
}

TEST_F(LoaderVersionTest, ReturnsZeroForAMissingLibrary) {
    expect_unknown();
}

TEST_F(LoaderVersionTest, ReturnsZeroWithoutAVersionFunction) {
    row_.version_function = nullptr;
    make_available(13);
    expect_unknown();
}

TEST_F(LoaderVersionTest, UsesALibraryOfAnyMajorThatDoesNotExportTheFunction) {
    row_.major = 0;
    row_.version_function = "no_such_function";
    make_available(13);
    EXPECT_TRUE(load(row_)) << last_failure().detail;
    expect_unknown();
}

TEST_F(LoaderVersionTest, IgnoresTheOutputOfAFailingFunction) {
    row_.major = 0;
    row_.version_function = "stand_in_failing_version";
    make_available(13);
    expect_unknown();
}

}  // namespace cubind::testing
