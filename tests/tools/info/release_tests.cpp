// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "release.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::info;

TEST(ReleaseTest, ConvertsBothWays) {
    EXPECT_EQ(to_text(13040), "13.4");
    EXPECT_EQ(to_text(12100), "12.10");
    EXPECT_EQ(to_text(0), "");
    EXPECT_EQ(parse_release("12.10"), 12100);
    EXPECT_EQ(parse_release("8.5\n.target"), 8050);
    EXPECT_EQ(parse_release("13"), 0);
    EXPECT_EQ(parse_release(""), 0);
}

TEST(ReleaseTest, ConvertsAVersionOfALibrary) {
    EXPECT_EQ(own_version_text(2019003), "2.19.3");
    EXPECT_EQ(own_version_text(10000), "0.10.0");
    EXPECT_EQ(own_version_text(0), "");
}

}  // namespace
}  // namespace cubind::testing
