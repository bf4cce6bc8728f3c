// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each step of the search finds the library in its place and is reported as found_via.
#include <dlfcn.h>

#include "loader_test.hpp"

namespace cubind::testing {

class LoaderSearchStepsTest : public LoaderTest {
protected:
    void expect_found(const std::string& relative, const char* found_via) {
        const std::string file = place(13, relative);
        EXPECT_TRUE(load(row_)) << last_failure().detail;
        EXPECT_STREQ(library_path(row_), file.c_str());
        EXPECT_STREQ(library_found_via(row_), found_via);
    }

    Library& row_ = toolkit_row();
    const std::string name_ = soname;
};

TEST_F(LoaderSearchStepsTest, UsesALoadedLibrary) {
    const std::string file = place(13, "elsewhere/" + name_);
    ASSERT_NE(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
    EXPECT_STREQ(library_path(row_), file.c_str());
    EXPECT_STREQ(library_found_via(row_), "already loaded");
}

TEST_F(LoaderSearchStepsTest, ReturnsAnAbsolutePathForARelativeOne) {
    const std::string file = place(13, "elsewhere/" + name_);
    std::filesystem::current_path(folder_);
    ASSERT_NE(dlopen(("elsewhere/" + name_).c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
    std::filesystem::current_path("/");
    EXPECT_STREQ(library_path(row_), file.c_str());
}

TEST_F(LoaderSearchStepsTest, ReturnsThePathOfTheLinkAndNotOfItsTarget) {
    const std::string real = place(13, "elsewhere/real.so");
    std::filesystem::create_directories(below("lib64"));
    std::filesystem::create_symlink(real, below("lib64/" + name_));
    set("CUDA_PATH", folder_.string());
    EXPECT_EQ(library_path(row_), below("lib64/" + name_));
}

TEST_F(LoaderSearchStepsTest, FindsAWheelInAVirtualEnvironment) {
    set("VIRTUAL_ENV", folder_.string());
    expect_found("lib/python3.11/site-packages/nvidia/cu13/lib/" + name_, "Python wheel");
}

TEST_F(LoaderSearchStepsTest, SearchesEveryWheelFolderOfTheRow) {
    set("VIRTUAL_ENV", folder_.string());
    expect_found("lib/python3.11/site-packages/nvidia/stand_in/lib/" + name_, "Python wheel");
}

TEST_F(LoaderSearchStepsTest, FindsAWheelInACondaEnvironment) {
    set("CONDA_PREFIX", folder_.string());
    expect_found("lib/python3.12/site-packages/nvidia/cu13/lib/" + name_, "Python wheel");
}

TEST_F(LoaderSearchStepsTest, FindsAWheelOfTheUser) {
    set("HOME", folder_.string());
    expect_found(".local/lib/python3.9/site-packages/nvidia/cu13/lib/" + name_, "Python wheel");
}

TEST_F(LoaderSearchStepsTest, FindsACondaPackageInLib) {
    set("CONDA_PREFIX", folder_.string());
    expect_found("lib/" + name_, "conda");
}

TEST_F(LoaderSearchStepsTest, FindsACondaPackageInItsTargetFolder) {
    set("CONDA_PREFIX", folder_.string());
    expect_found(target_folder + name_, "conda");
}

TEST_F(LoaderSearchStepsTest, FindsAToolkitThroughCudaPath) {
    set("CUDA_PATH", folder_.string());
    expect_found("lib64/" + name_, "CUDA_PATH");
}

TEST_F(LoaderSearchStepsTest, FindsAToolkitThroughCudaHome) {
    set("CUDA_HOME", folder_.string());
    expect_found("lib64/" + name_, "CUDA_HOME");
}

TEST_F(LoaderSearchStepsTest, SearchesAToolkitsLibFolder) {
    set("CUDA_HOME", folder_.string());
    expect_found("lib/" + name_, "CUDA_HOME");
}

TEST_F(LoaderSearchStepsTest, SearchesAToolkitsTargetFolder) {
    set("CUDA_PATH", folder_.string());
    expect_found(target_folder + name_, "CUDA_PATH");
}

TEST_F(LoaderSearchStepsTest, TakesFoldersOfALibraryFromTheCatalogue) {
    static const char* const names[] = {"libnvvm.so.4", nullptr};
    row_.file_names = names;
    set("CONDA_PREFIX", folder_.string());
    expect_found("nvvm/lib64/libnvvm.so.4", "conda");
}

TEST_F(LoaderSearchStepsTest, LoadsDependenciesInTheCatalogueFirst) {
    static const char* const names[] = {"libcublas.so.13", nullptr};
    row_.file_names = names;
    set("CONDA_PREFIX", folder_.string());
    const std::string dependency = place(13, "lib/libcublasLt.so.13");
    expect_found("lib/libcublas.so.13", "conda");
    EXPECT_NE(dlopen(dependency.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
}

TEST_F(LoaderSearchStepsTest, UsesTheSecondSonameIfTheFirstDoesNotExist) {
    set("CUDA_PATH", folder_.string());
    expect_found("lib64/libcubind_stand_in_second.so.13", "CUDA_PATH");
}

TEST_F(LoaderSearchStepsTest, LoadsIntoTheLocalScope) {
    set("CUDA_PATH", folder_.string());
    expect_found("lib64/" + name_, "CUDA_PATH");
    EXPECT_EQ(dlsym(RTLD_DEFAULT, "stand_in_add"), nullptr);
}

TEST_F(LoaderSearchStepsTest, IgnoresWheelsCondaAndToolkitsForDriverLibraries) {
    Library& driver = driver_row();
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_PATH", "CUDA_HOME"}) {
        set(variable, folder_.string());
    }
    place(13, "lib/" + name_);
    place(13, "lib64/" + name_);
    place(13, "lib/python3.11/site-packages/nvidia/cu13/lib/" + name_);
    expect_contains(message_of_missing(driver), "Install the NVIDIA driver");
    EXPECT_FALSE(was_opened(13));
}

}  // namespace cubind::testing
