// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/release.hpp"

#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

namespace cubind::testing {
namespace {

using gen::spec::check_release;
using gen::spec::EarlierRelease;
using gen::spec::release_number;
using gen::spec::release_text;

TEST(Release, is_a_number_as_in_the_vendors_macros) {
    EXPECT_EQ(release_number("13.4"), 13040);
    EXPECT_EQ(release_number("12.0"), 12000);
    EXPECT_EQ(release_number("9.2"), 9020);
    EXPECT_EQ(release_number("12.10"), 12100);
}

TEST(Release, is_written_back_as_it_was) {
    for (const char* release : {"3.2", "9.2", "12.0", "12.9", "12.10", "13.4", "100.0"})
        EXPECT_EQ(release_text(release_number(release)), release);
}

TEST(Release, is_compared_as_a_number) {
    const EarlierRelease earlier;
    EXPECT_TRUE(earlier("9.2", "12.0"));
    EXPECT_TRUE(earlier("12.9", "12.10"));
    EXPECT_TRUE(earlier("12.10", "13.0"));
    EXPECT_FALSE(earlier("13.0", "13.0"));
    EXPECT_FALSE(earlier("13.0", "12.10"));
}

TEST(Release, that_is_none_is_zero) {
    for (const char* text : {"", "13", "13.", ".4", "13.4.1", "13,4", "v13.4", "13.4 ", " 13.4", "13.-4", "-13.4", "13.x", "0.4",
                             "13.100", "1000.0", "99999999999.0", "13.4rc1"}) {
        EXPECT_EQ(release_number(text), 0) << "\"" << text << "\"";
    }
}

TEST(Release, that_is_none_is_refused_with_its_place) {
    EXPECT_EQ(input_error_of([] { check_release("soon", "api.json: releases"); }),
              "api.json: releases: \"soon\" is no release; write it as 13.4");
    check_release("13.4", "api.json: releases");
}

}  // namespace
}  // namespace cubind::testing
