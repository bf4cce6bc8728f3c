// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "loader_test.hpp"
#include "search/site_packages.hpp"

namespace cubind::testing {

class LoaderSitePackagesTest : public LoaderTest {
protected:
    void make(const std::string& relative) { std::filesystem::create_directories(folder_ / relative); }
};

TEST_F(LoaderSitePackagesTest, SortsTheNewestPythonFirstByNumber) {
    for (const char* folder : {"lib/python3.9/site-packages", "lib/python3.13t/site-packages", "lib/python3.13/site-packages",
                               "lib/python3.10/dist-packages", "lib/python3.10/site-packages", "lib/python3/dist-packages"}) {
        make(folder);
    }
    const std::vector<std::string> expected = {
        below("lib/python3.13/site-packages"), below("lib/python3.13t/site-packages"), below("lib/python3.10/site-packages"),
        below("lib/python3.10/dist-packages"), below("lib/python3.9/site-packages"),   below("lib/python3/dist-packages"),
    };
    EXPECT_EQ(detail::site_packages_below(folder_.string()), expected);
}

TEST_F(LoaderSitePackagesTest, SortsNumbersThatNoReleaseHasLast) {
    for (const char* folder : {"lib/python3.2147483648/site-packages", "lib/python3.99999999999999999999/site-packages",
                               "lib/python3.-7/site-packages", "lib/python3./site-packages", "lib/python3.8/site-packages"}) {
        make(folder);
    }
    const std::vector<std::string> found = detail::site_packages_below(folder_.string());
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found.front(), below("lib/python3.8/site-packages"));
}

TEST_F(LoaderSitePackagesTest, IgnoresOtherFoldersAndFiles) {
    make("lib/python2.7/site-packages");
    make("lib/perl/site-packages");
    make("lib/python3.11/other-packages");
    place_text("lib/python3.12/site-packages");
    EXPECT_TRUE(detail::site_packages_below(folder_.string()).empty());
}

TEST_F(LoaderSitePackagesTest, ReturnsNoneForAMissingPrefix) {
    EXPECT_TRUE(detail::site_packages_below(below("nowhere")).empty());
}

}  // namespace cubind::testing
