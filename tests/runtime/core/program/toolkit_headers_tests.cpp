// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "program/toolkit_headers.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using detail::toolkit_headers;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// An empty folder in which the tests create toolkits.
class ToolkitHeadersTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "cubind-toolkit-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        root = fs::canonical(name);
        unsetenv("CUDA_PATH");
        unsetenv("CUDA_HOME");
    }
    void TearDown() override { fs::remove_all(root); }

    std::string file(const fs::path& path) {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path).put(' ');
        return (root / path).string();
    }
    std::string at(const char* path) { return (root / path).string(); }

    fs::path root;
};

TEST_F(ToolkitHeadersTest, FindsHeadersBesideNvrtcInAToolkit) {
    const std::string nvrtc = file("lib64/libnvrtc.so");
    EXPECT_THAT(toolkit_headers(nvrtc), IsEmpty());
    file("include/cuda_fp16.h");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("include")));
    file("include/cccl/cuda/std/atomic");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("include"), at("include/cccl")));
}

TEST_F(ToolkitHeadersTest, FindsHeadersOfAWheel) {
    const std::string nvrtc = file("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    file("nvidia/cuda_runtime/include/cuda_fp16.h");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("nvidia/cuda_runtime/include")));
    file("nvidia/cuda_cccl/include/cuda/std/atomic");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("nvidia/cuda_runtime/include"), at("nvidia/cuda_cccl/include")));
}

#if defined(__x86_64__)
TEST_F(ToolkitHeadersTest, FindsHeadersOfThePlatform) {
    const std::string nvrtc = file("lib/libnvrtc.so.13");
    file("targets/x86_64-linux/include/cuda_fp16.h");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("targets/x86_64-linux/include")));
}
#endif

TEST_F(ToolkitHeadersTest, FollowsSymbolicLinks) {
    file("toolkit/lib/libnvrtc.so.13");
    file("toolkit/include/cuda_fp16.h");
    fs::create_directories(root / "elsewhere/lib");
    fs::create_symlink(root / "toolkit/lib/libnvrtc.so.13", root / "elsewhere/lib/libnvrtc.so");
    EXPECT_THAT(toolkit_headers(at("elsewhere/lib/libnvrtc.so")), ElementsAre(at("toolkit/include")));
}

TEST_F(ToolkitHeadersTest, FindsHeadersByTheEnvironment) {
    const std::string nvrtc = file("lib/libnvrtc.so");
    file("home/include/cuda_fp16.h");
    file("path/include/cuda_fp16.h");
    setenv("CUDA_HOME", at("home").c_str(), 1);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("home/include")));
    setenv("CUDA_PATH", at("path").c_str(), 1);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("path/include")));
    setenv("CUDA_PATH", "path", 1);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("home/include"))) << "relative paths are ignored";
    file("include/cuda_fp16.h");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("include"))) << "the nearest folder wins";
}

}  // namespace
}  // namespace cubind::testing
