// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include <gtest/gtest.h>

#include <iterator>

namespace cubind::testing {
namespace {

using namespace cubind::detail;

TEST(PtxIsaTest, HasATableInAscendingOrder) {
    for (std::size_t row = 1; row < std::size(ptx_isa_of_releases); ++row) {
        EXPECT_LT(ptx_isa_of_releases[row - 1].release, ptx_isa_of_releases[row].release);
        EXPECT_LE(ptx_isa_of_releases[row - 1].ptx_isa, ptx_isa_of_releases[row].ptx_isa);
    }
}

TEST(PtxIsaTest, HasAnExactLimitForAReleaseOfTheTable) {
    EXPECT_EQ(ptx_limit(12060).ptx_isa, 8050);
    EXPECT_TRUE(ptx_limit(12060).is_exact);
    EXPECT_EQ(ptx_limit(12080).ptx_isa, 8070);
}

TEST(PtxIsaTest, HasAMinimumForANewerRelease) {
    const PtxLimit limit = ptx_limit(99000);
    EXPECT_EQ(limit.ptx_isa, std::end(ptx_isa_of_releases)[-1].ptx_isa);
    EXPECT_FALSE(limit.is_exact);
}

TEST(PtxIsaTest, HasNoLimitForAnOlderRelease) {
    EXPECT_EQ(ptx_limit(11080).ptx_isa, 0);
    EXPECT_EQ(ptx_limit(0).ptx_isa, 0);
}

TEST(PtxIsaTest, ReturnsTheFirstReleaseWithAnIsa) {
    EXPECT_EQ(first_release_with(8050), 12050);
    EXPECT_EQ(first_release_with(8060), 12070);
    EXPECT_EQ(first_release_with(6040), 12000) << "older than the table: every supported driver accepts it";
    EXPECT_EQ(first_release_with(std::end(ptx_isa_of_releases)[-1].ptx_isa + 10), 0) << "newer than the table";
}

}  // namespace
}  // namespace cubind::testing
