// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Messages and state after a search that found no library.
#include <dlfcn.h>

#include "loader_test.hpp"

namespace cubind::testing {

class LoaderMissingLibraryTest : public LoaderTest {
protected:
    Library& row_ = toolkit_row();
};

TEST_F(LoaderMissingLibraryTest, NamesEveryPlaceInOrder) {
    set("VIRTUAL_ENV", below("venv"));
    set("CONDA_PREFIX", below("conda"));
    set("CUDA_PATH", below("toolkit"));
    const std::string broken = place_text(std::string("toolkit/lib64/") + soname);
    std::filesystem::create_directories(below("conda/lib"));
    const std::string message = message_of_missing(row_);

    expect_contains_in_order(message, {
                                          "stand-in",
                                          "Install the CUDA toolkit 13",
                                          "set CUBIND_STAND_IN_LIBRARY=/",
                                          "environment variable: $CUBIND_STAND_IN_LIBRARY: not set",
                                          "already loaded: libcubind_stand_in.so.13: not loaded",
                                          "Python wheel: $HOME: not set",
                                          "Python wheel: " + below("venv/lib") + ": no Python 3 site-packages",
                                          "conda: " + below("conda/lib/libcubind_stand_in.so.13") + ": no such file",
                                          "OS loader: libcubind_stand_in.so.13: ",
                                          "CUDA_PATH: " + broken + ": ",
                                          "CUDA_PATH: " + below("toolkit/lib") + ": no such folder",
                                          "CUDA_HOME: $CUDA_HOME: not set",
                                          "default prefix: /usr/local/cuda/lib64",
                                      });
    expect_contains(message, broken + ": is not a library: it has no ELF header");
}

TEST_F(LoaderMissingLibraryTest, NamesTheMajorVersionOfAProductsPackage) {
    static constexpr const char* product[] = {"libcustabilizer.so.0", nullptr};  // in the catalogue, and rarely installed
    row_.file_names = product;
    row_.major = 7;
    expect_contains(message_of_missing(row_), "Install version 7 of its package or the Python wheel");
}

TEST_F(LoaderMissingLibraryTest, ReportsTheRowsNameAndStatus) {
    EXPECT_FALSE(load(row_));
    EXPECT_STREQ(last_failure().library, "stand-in");
    EXPECT_STREQ(last_failure().function, "");
    EXPECT_EQ(last_failure().status, library_missing_status);
    EXPECT_EQ(last_failure().reason, FailureReason::library_missing);
    EXPECT_EQ(library_path(row_), nullptr);
    EXPECT_EQ(library_found_via(row_), nullptr);
}

TEST_F(LoaderMissingLibraryTest, PreservesLastFailureInPathAndFoundVia) {
    EXPECT_EQ(library_path(row_), nullptr);
    EXPECT_EQ(library_found_via(row_), nullptr);
    EXPECT_EQ(last_failure().reason, FailureReason::none);
    EXPECT_STREQ(last_failure().library, "");
    EXPECT_STREQ(last_failure().detail, "");
}

TEST_F(LoaderMissingLibraryTest, SearchesOnce) {
    set("CUDA_PATH", folder_.string());
    EXPECT_FALSE(load(row_));
    const char* const first = last_failure().detail;
    place(13, std::string("lib64/") + soname);
    EXPECT_FALSE(load(row_));
    EXPECT_EQ(last_failure().detail, first);
}

TEST_F(LoaderMissingLibraryTest, RejectsAnotherMajorUnderTheRightName) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + soname);
    expect_contains(message_of_missing(row_), file + ": is major 12, but major 13 is needed");
}

TEST_F(LoaderMissingLibraryTest, NamesAnotherMajorInASearchedFolderWithoutOpeningIt) {
    set("CUDA_PATH", folder_.string());
    const std::string file = place(12, std::string("lib64/") + refused_soname);
    expect_contains(message_of_missing(row_), "CUDA_PATH: " + file + ": is of another major");
    EXPECT_FALSE(was_opened(12));
}

TEST_F(LoaderMissingLibraryTest, NamesAnotherMajorThatIsLoaded) {
    const std::string file = place(12, std::string("elsewhere/") + refused_soname);
    ASSERT_NE(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
    expect_contains(message_of_missing(row_), "already loaded: " + file + ": is of another major");
}

TEST_F(LoaderMissingLibraryTest, RejectsALibraryWithoutItsVersionFunction) {
    row_.version_function = "no_such_function";
    set("CUDA_PATH", folder_.string());
    place(13, std::string("lib64/") + soname);
    expect_contains(message_of_missing(row_), "does not export no_such_function");
}

}  // namespace cubind::testing
