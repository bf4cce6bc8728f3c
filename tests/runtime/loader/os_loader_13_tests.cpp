// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// This program's run path has the stand-in of major 13.
#include <fstream>

#include "ld_cache.hpp"
#include "loader_test.hpp"
#include "search/search.hpp"

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

// Searches a driver library while the OS loader's cache has this file. Returns the notes.
std::vector<std::string> notes_with_system_file(const std::string& file, const std::string& cache) {
    std::ofstream(cache, std::ios::binary) << cache_of({{native_flags, 0, file.c_str()}}, soname);
    detail::SearchContext context{.library = driver_row(), .places = {.ld_cache = cache}};
    EXPECT_TRUE(detail::run_search(context)) << context.log;
    return context.notes;
}

TEST_F(LoaderOsLoaderTest, NotesADriverThatARunPathPrefersToTheSystems) {
    const std::string system = place(13, std::string("system/") + soname);
    const std::vector<std::string> notes = notes_with_system_file(system, below("cache"));
    ASSERT_EQ(notes.size(), 1U);
    expect_contains_in_order(notes[0], {soname, "instead of the system's " + system, "run path (DT_RPATH or DT_RUNPATH)"});
    const std::vector<std::string> later = notes_with_system_file(system, below("cache"));
    ASSERT_EQ(later.size(), 1U);
    expect_contains_in_order(later[0], {"instead of the system's " + system, "already loaded it, by a run path"});
}

TEST_F(LoaderOsLoaderTest, NotesNothingIfTheRunPathLeadsToTheSystemsDriver) {
    Library& row = driver_row();
    const std::filesystem::path link = folder_ / "link.so";
    std::filesystem::create_symlink(library_path(row), link);
    EXPECT_TRUE(notes_with_system_file(link.string(), below("cache")).empty());
    EXPECT_TRUE(notes_with_system_file(below("missing.so"), below("cache")).empty());
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
