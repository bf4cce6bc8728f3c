// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The version that a library reports.
#include <algorithm>
#include <iterator>

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
    row_.version_form = VersionForm::two_numbers;
    make_available(13);
    EXPECT_EQ(version(row_), 13020);
}

/// A library with releases of its own.
class LoaderOwnVersionTest : public LoaderVersionTest {
protected:
    LoaderOwnVersionTest() {
        make_available(13);
        row_.major = 0;
        row_.has_own_releases = true;
        row_.product = "Toy";
    }
    void expect_version(const char* function, VersionForm form, int expected) {
        row_.version_function = function;
        row_.version_form = form;
        EXPECT_EQ(version(row_), expected);
    }
};

TEST_F(LoaderOwnVersionTest, CombinesThreeNumbers) {
    expect_version("stand_in_three_numbers", VersionForm::three_numbers, 2019003);
}

TEST_F(LoaderOwnVersionTest, CombinesProperties) {
    const int selectors[] = {7, 8, 9};
    std::copy(std::begin(selectors), std::end(selectors), row_.version_properties);
    row_.version_property_count = 3;
    expect_version("stand_in_property", VersionForm::properties, 2019003);
}

TEST_F(LoaderOwnVersionTest, SplitsAReturnedNumber) {
    const int weights[] = {10000, 100, 1};
    std::copy(std::begin(weights), std::end(weights), row_.version_weights);
    expect_version("stand_in_returned_version", VersionForm::returned, 2019003);
}

TEST_F(LoaderOwnVersionTest, SplitsAWrittenNumber) {
    const int weights[] = {1000, 100, 1};
    std::copy(std::begin(weights), std::end(weights), row_.version_weights);
    expect_version("stand_in_weighted_version", VersionForm::one_number, 12005014);
}

TEST_F(LoaderOwnVersionTest, ChecksTheMajor) {
    row_.version_function = "stand_in_three_numbers";
    row_.version_form = VersionForm::three_numbers;
    row_.major = 3;
    expect_contains(message_of_missing(row_), "is major 2, but major 3 is needed");
}

TEST_F(LoaderOwnVersionTest, RefusesAVersionOlderThanTheOldest) {
    row_.version_function = "stand_in_three_numbers";
    row_.version_form = VersionForm::three_numbers;
    row_.product = "Toy";
    row_.oldest = 2019004;
    expect_contains(message_of_missing(row_), "is Toy 2.19.3, but Toy 2.19.4 or newer is needed");
}

TEST_F(LoaderOwnVersionTest, AcceptsTheOldestVersion) {
    row_.oldest = 2019003;
    expect_version("stand_in_three_numbers", VersionForm::three_numbers, 2019003);
}

TEST_F(LoaderOwnVersionTest, RefusesAVersionFromTheRefusedOneOn) {
    row_.version_function = "stand_in_three_numbers";
    row_.version_form = VersionForm::three_numbers;
    row_.product = "Toy";
    row_.refused_from = 2019003;
    expect_contains(message_of_missing(row_), "is Toy 2.19.3, but a version before Toy 2.19.3 is needed");
}

TEST_F(LoaderOwnVersionTest, AcceptsTheVersionBeforeTheRefusedOne) {
    row_.refused_from = 2019004;
    expect_version("stand_in_three_numbers", VersionForm::three_numbers, 2019003);
}

TEST_F(LoaderOwnVersionTest, RefusesALibraryWhoseVersionIsUnknown) {
    row_.version_function = "stand_in_failing_version";
    row_.oldest = 2019003;
    expect_contains(message_of_missing(row_), "stand_in_failing_version failed");
}

TEST_F(LoaderOwnVersionTest, RefusesALibraryWithAnImpossibleVersion) {
    row_.version_function = "stand_in_absurd_numbers";
    row_.version_form = VersionForm::three_numbers;
    row_.oldest = 2019003;
    expect_contains(message_of_missing(row_), "2147483647.2147483647.-1, which no release has");
}

/// A library whose version function reports 12.5.14 in releases of CUDA.
class LoaderReleaseOfVersionTest : public LoaderOwnVersionTest {
protected:
    /// Returns the release of the library, if these two releases of CUDA have these versions.
    int release(int version_of_13_3, int version_of_13_4) {
        static LibraryVersion versions[3];
        versions[0] = {13030, version_of_13_3};
        versions[1] = {13040, version_of_13_4};
        row_.has_own_releases = false;
        row_.versions = versions;
        const int weights[] = {1000, 100, 1};
        std::copy(std::begin(weights), std::end(weights), row_.version_weights);
        row_.version_function = "stand_in_weighted_version";
        return version(row_);
    }
};

TEST_F(LoaderReleaseOfVersionTest, IsTheReleaseWithThatVersion) {
    EXPECT_EQ(release(12005014, 12006000), 13030);
}

TEST_F(LoaderReleaseOfVersionTest, IsTheNewestReleaseForANewerVersion) {
    EXPECT_EQ(release(12003000, 12004000), 13040);
}

TEST_F(LoaderReleaseOfVersionTest, IsTheEarlierReleaseBetweenTwo) {
    EXPECT_EQ(release(12004000, 12006000), 13030);
}

TEST_F(LoaderReleaseOfVersionTest, IsTheReleaseThatReceivedAPatch) {
    EXPECT_EQ(release(12004000, 12005020), 13040);
}

TEST_F(LoaderReleaseOfVersionTest, IsTheFirstReleaseForAnOlderVersion) {
    EXPECT_EQ(release(12006000, 12007000), 13030);
}

TEST_F(LoaderVersionTest, ChecksTheMajorInBothForms) {
    row_.version_function = "stand_in_major_and_minor";
    row_.version_form = VersionForm::two_numbers;
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
