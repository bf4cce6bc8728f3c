// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// This program runs in the folder of the stand-in, with relative entries in LD_LIBRARY_PATH that name the folder.
#include <algorithm>
#include <dlfcn.h>
#include <fstream>

#include "ld_cache.hpp"
#include "loader_test.hpp"
#include "platform/os_loader_places.hpp"

namespace cubind::testing {

class LoaderOsLoaderPlacesTest : public LoaderTest {
protected:
    std::vector<std::string> paths_in(const std::string& cache) const {
        std::ofstream(below("cache"), std::ios::binary) << cache;
        return detail::paths_in_ld_cache("libx.so.1", below("cache").c_str());
    }
};

TEST_F(LoaderOsLoaderPlacesTest, IgnoresRelativeEntries) {
    void* const direct = dlopen(soname, RTLD_NOW);
    ASSERT_NE(direct, nullptr) << "dlopen itself searches the relative entry";
    dlclose(direct);
    Library& row = toolkit_row();
    expect_contains(message_of_missing(row), "OS loader: LD_LIBRARY_PATH or a run path: the entry \"");
    EXPECT_FALSE(detail::os_loader_places().ignored.empty());
}

TEST_F(LoaderOsLoaderPlacesTest, HasTheSystemsFolders) {
    const detail::OsLoaderPlaces places = detail::os_loader_places();
    EXPECT_NE(std::find(places.system_folders.begin(), places.system_folders.end(), "/usr/lib"), places.system_folders.end());
}

TEST_F(LoaderOsLoaderPlacesTest, ReadsTheCacheOfTheSystem) {
    EXPECT_FALSE(detail::paths_in_ld_cache("libc.so.6").empty());
    EXPECT_TRUE(detail::paths_in_ld_cache(soname).empty());
}

TEST_F(LoaderOsLoaderPlacesTest, ReadsPathsOfThisProcessorAndOfNoOptionalHardware) {
    const std::string cache = cache_of({{native_flags, 1, "/opt/v3/libx.so.1"},
                                        {native_flags ^ 0x0100, 0, "/opt/other/libx.so.1"},
                                        {native_flags, 0, "/opt/a/libx.so.1"},
                                        {native_flags, 0, "relative/libx.so.1"},
                                        {native_flags, 0, "/opt/b/libx.so.1"}});
    EXPECT_EQ(paths_in(cache), (std::vector<std::string>{"/opt/a/libx.so.1", "/opt/b/libx.so.1"}));
}

TEST_F(LoaderOsLoaderPlacesTest, SurvivesABrokenCache) {
    const std::string cache = cache_of({{native_flags, 0, "/opt/a/libx.so.1"}, {native_flags, 0, "/opt/b/libx.so.1"}});
    for (std::size_t size = 0; size < cache.size(); ++size) {
        EXPECT_LE(paths_in(cache.substr(0, size)).size(), 2U);
    }
    std::string broken = cache;
    broken.replace(20, 4, "\xff\xff\xff\xff");          // number of rows
    broken.replace(48 + 4, 8, std::string(8, '\xff'));  // positions of the first row
    EXPECT_EQ(paths_in(broken), (std::vector<std::string>{"/opt/b/libx.so.1"}));
    EXPECT_TRUE(paths_in(std::string(cache).replace(0, 5, "wrong")).empty());
}

}  // namespace cubind::testing
