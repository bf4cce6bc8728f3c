// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The vendor's own libraries of one release, which lie in the folder that CUBIND_TEST_LIBRARIES names.
#include <cubind/nvjitlink.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/runtime.hpp>

#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <cubind/failure.hpp>

namespace cubind {
namespace {

namespace fs = std::filesystem;

class RealLibraries : public ::testing::Test {
protected:
    RealLibraries() {
        const char* const folder = getenv("CUBIND_TEST_LIBRARIES");
        folder_ = folder != nullptr ? folder : "";
        // NVRTC's helper has the release in its name: libnvrtc-builtins.so.12.9.
        const std::string prefix = "libnvrtc-builtins.so.";
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (!name.starts_with(prefix)) continue;
            std::sscanf(name.c_str() + prefix.size(), "%d.%d", &major_, &minor_);
        }
        setenv("CUBIND_RUNTIME_LIBRARY", file("libcudart").c_str(), 1);
        setenv("CUBIND_NVRTC_LIBRARY", file("libnvrtc").c_str(), 1);
        setenv("CUBIND_NVJITLINK_LIBRARY", file("libnvJitLink").c_str(), 1);
    }
    std::string file(const std::string& name) const { return folder_ / (name + ".so." + std::to_string(major_)); }
    int release() const { return 1000 * major_ + 10 * minor_; }

    fs::path folder_;
    int major_ = 0;
    int minor_ = 0;
};

TEST_F(RealLibraries, NvrtcTellsItsVersion) {
    ASSERT_GE(release(), 12000);
    EXPECT_EQ(version(nvrtc::library()), release());
}

TEST_F(RealLibraries, NvJitLinkTellsItsVersionSince12_3) {
    ASSERT_GE(release(), 12000);
    ASSERT_TRUE(load(nvjitlink::library())) << last_failure().detail;
    EXPECT_EQ(version(nvjitlink::library()), release() >= 12030 ? release() : 0);
}

TEST_F(RealLibraries, NvJitLinkLinksUnderWhicheverNamesItExports) {
    const char* options[] = {"-arch=sm_80"};
    auto [status, linker] = nvjitlink::nvJitLinkCreate(1, options);
    ASSERT_EQ(status, nvjitlink::NVJITLINK_SUCCESS) << last_failure().detail;
    EXPECT_NE(linker, nullptr);
    EXPECT_TRUE(nvjitlink::has(nvjitlink::nvJitLinkGetLinkedCubin));
    EXPECT_EQ(nvjitlink::nvJitLinkDestroy(linker).status, nvjitlink::NVJITLINK_SUCCESS);
}

TEST_F(RealLibraries, AFunctionOfALaterReleaseIsMissingWithBothReleasesNamed) {
    ASSERT_EQ(nvjitlink::has(nvjitlink::nvJitLinkVersion), release() >= 12030);
    if (release() >= 12030) return;
    auto [status, major, minor] = nvjitlink::nvJitLinkVersion();
    EXPECT_EQ(status, nvjitlink::NVJITLINK_ERROR_INTERNAL);
    const std::string detail = last_failure().detail;
    EXPECT_NE(detail.find("is of unknown version and does not export it, nor __nvJitLinkVersion_12_0"), std::string::npos) << detail;
}

TEST_F(RealLibraries, TheRuntimeIsUsedForItsOwnMajorOnly) {
    EXPECT_EQ(version(runtime::library()), major_ == 13 ? release() : 0);
    EXPECT_EQ(load(runtime::library()), major_ == 13);
}

}  // namespace
}  // namespace cubind
