// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Priority of the places that contain the library, and places that are never searched.
#include <dlfcn.h>
#include <vector>

#include "loader_test.hpp"

namespace cubind::testing {

class LoaderSearchOrderTest : public LoaderTest {
protected:
    LoaderSearchOrderTest() {
        set("VIRTUAL_ENV", below("venv"));
        set("CONDA_PREFIX", below("conda"));
        set("HOME", below("home"));
        set("CUDA_PATH", below("path"));
        set("CUDA_HOME", below("home_of_cuda"));
    }

    Library& row_ = toolkit_row();
    const std::string name_ = soname;
    const std::string packages_ = "/lib/python3.11/site-packages/nvidia/cu13/lib/" + name_;
    // The places in the order of the search.
    const std::vector<std::string> places_ = {
        "venv" + packages_,
        "conda" + packages_,
        "home/.local" + packages_,
        "conda/lib/" + name_,
        std::string("conda/") + target_folder + name_,
        "path/lib64/" + name_,
        "path/lib/" + name_,
        std::string("path/") + target_folder + name_,
        "home_of_cuda/lib64/" + name_,
    };
};

TEST_F(LoaderSearchOrderTest, PrefersEachPlaceOverLaterPlaces) {
    for (const std::string& relative : places_) {
        place(13, relative);
    }
    for (const std::string& relative : places_) {
        Library& row = toolkit_row();
        const char* const path = library_path(row);
        ASSERT_NE(path, nullptr);
        EXPECT_EQ(path, below(relative));
        // The test closes the library, because cubind's loader does not, and the next round would find it as already loaded.
        void* const handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
        dlclose(handle);
        dlclose(handle);
        std::filesystem::remove(below(relative));
    }
}

TEST_F(LoaderSearchOrderTest, PrefersALoadedLibraryOverFiles) {
    const std::string file = place(13, "elsewhere/" + name_);
    for (const std::string& relative : places_) {
        place(13, relative);
    }
    ASSERT_NE(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
    EXPECT_EQ(library_path(row_), file);
}

TEST_F(LoaderSearchOrderTest, SkipsACandidateThatDoesNotOpen) {
    place_text(places_[0]);
    const std::string good = place(13, places_[5]);
    EXPECT_EQ(library_path(row_), good);
}

TEST_F(LoaderSearchOrderTest, SkipsACandidateOfAnotherMajor) {
    place(12, places_[0]);
    const std::string good = place(13, places_[5]);
    EXPECT_EQ(library_path(row_), good);
}

TEST_F(LoaderSearchOrderTest, NeverSearchesTheWorkingDirectory) {
    for (const char* variable : {"VIRTUAL_ENV", "HOME", "CUDA_PATH"}) {
        set(variable, "");
    }
    set("CONDA_PREFIX", ".");
    set("CUDA_HOME", "venv");
    place(13, name_);
    place(13, "lib/" + name_);
    place(13, "venv/lib64/" + name_);
    place(13, "lib/python3.11/site-packages/nvidia/cu13/lib/" + name_);
    std::filesystem::create_directories(below(".local"));
    std::filesystem::current_path(folder_);
    const std::string message = message_of_missing(row_);
    expect_contains(message, "$VIRTUAL_ENV: empty, ignored");
    expect_contains(message, "conda: $CONDA_PREFIX: . is a relative path, ignored");
    expect_contains(message, "CUDA_HOME: $CUDA_HOME: venv is a relative path, ignored");
}

}  // namespace cubind::testing
