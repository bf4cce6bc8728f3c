// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// This program's run path has the stand-in of major 13.
#include "loader_test.hpp"

namespace cubind::testing {

class LoaderOsLoaderTest : public LoaderTest {};

TEST_F(LoaderOsLoaderTest, FindsTheBareSoname) {
    Library& row = toolkit_row();
    EXPECT_TRUE(load(row)) << last_failure().detail;
    EXPECT_STREQ(library_found_via(row), "OS loader");
    EXPECT_EQ(library_path(row)[0], '/');
    EXPECT_EQ(std::filesystem::path(library_path(row)).filename(), soname);
}

TEST_F(LoaderOsLoaderTest, FindsDriverLibraries) {
    Library& row = driver_row();
    EXPECT_STREQ(library_found_via(row), "OS loader");
}

TEST_F(LoaderOsLoaderTest, IsSearchedAfterConda) {
    Library& row = toolkit_row();
    set("CONDA_PREFIX", folder_.string());
    place(13, std::string("lib/") + soname);
    EXPECT_STREQ(library_found_via(row), "conda");
}

TEST_F(LoaderOsLoaderTest, IsSearchedBeforeAToolkit) {
    Library& row = toolkit_row();
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    EXPECT_STREQ(library_found_via(row), "OS loader");
}

}  // namespace cubind::testing
