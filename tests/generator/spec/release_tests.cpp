// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "spec/release.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::check_release;
using gen::spec::EarlierRelease;
using gen::spec::release_number;
using gen::spec::release_text;

TEST(ReleaseTest, IsConvertedToTheNumberOfTheVendorsMacros) {
    EXPECT_EQ(release_number("13.4"), 13040);
    EXPECT_EQ(release_number("12.0"), 12000);
    EXPECT_EQ(release_number("9.2"), 9020);
    EXPECT_EQ(release_number("12.10"), 12100);
}

TEST(ReleaseTest, IsConvertedBackToTheSameText) {
    for (const char* release : {"3.2", "9.2", "12.0", "12.9", "12.10", "13.4", "100.0"})
        EXPECT_EQ(release_text(release_number(release)), release);
}

TEST(ReleaseTest, IsConvertedToANumberForAVersionOfALibrary) {
    EXPECT_EQ(release_number("2.19.3"), 2019003);
    EXPECT_EQ(release_number("0.10.0"), 10000);
    EXPECT_TRUE(gen::spec::is_version("2.19.3"));
    EXPECT_FALSE(gen::spec::is_version("13.4"));
    EXPECT_EQ(gen::spec::release_major("2.19.3"), 2);
    EXPECT_EQ(gen::spec::release_major("13.4"), 13);
    EXPECT_TRUE(EarlierRelease{}("2.9.3", "2.10.0"));
}

TEST(ReleaseTest, IsComparedAsANumber) {
    const EarlierRelease earlier;
    EXPECT_TRUE(earlier("9.2", "12.0"));
    EXPECT_TRUE(earlier("12.9", "12.10"));
    EXPECT_TRUE(earlier("12.10", "13.0"));
    EXPECT_FALSE(earlier("13.0", "13.0"));
    EXPECT_FALSE(earlier("13.0", "12.10"));
}

TEST(ReleaseTest, IsZeroForAnInvalidText) {
    for (const char* text : {"",      "13",      "13.",      ".4",     "13,4",   "v13.4",  "13.4 ",         " 13.4",
                             "13.-4", "-13.4",   "13.x",     "0.4",    "13.100", "1000.0", "99999999999.0", "13.4rc1",
                             "0.0.0", "1.2.3.4", "1.1000.0", "1.-2.3", "1..3",   "1.2."}) {
        EXPECT_EQ(release_number(text), 0) << "\"" << text << "\"";
    }
}

TEST(ReleaseTest, IsRejectedWithThePlaceOfAnInvalidText) {
    expect_contains(input_error_of([] { check_release("soon", "api.json: releases"); }), "api.json: releases: \"soon\"");
    check_release("13.4", "api.json: releases");
}

}  // namespace
}  // namespace cubind::testing
