// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/toolkit_headers.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using detail::ToolkitHeaders;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
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
    /// Writes headers of a release: 13000 is CUDA 13.0.
    void headers(const fs::path& folder, int release) {
        file(folder / "cuda_fp16.h");
        std::ofstream(root / folder / "cuda.h") << "#ifndef __cuda_h__\n#define CUDA_VERSION " << release << "\n#endif\n";
    }
    std::vector<std::string> toolkit_headers(const std::string& nvrtc) {
        return detail::toolkit_headers(nvrtc, 13000, at("default")).folders;
    }
    void let_others_write(const fs::path& path) { fs::permissions(root / path, fs::perms::others_write, fs::perm_options::add); }
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

TEST_F(ToolkitHeadersTest, RefusesFoldersToWhichOthersCanWrite) {
    const std::string nvrtc = file("toolkit/lib/libnvrtc.so");
    file("toolkit/include/cuda_fp16.h");
    file("home/include/cuda_fp16.h");
    file("home/include/cccl/cuda/std/atomic");
    setenv("CUDA_HOME", at("home").c_str(), 1);
    ASSERT_THAT(toolkit_headers(nvrtc), ElementsAre(at("toolkit/include")));
    let_others_write("toolkit/include");
    const ToolkitHeaders next = detail::toolkit_headers(nvrtc, 13000, at("default"));
    EXPECT_THAT(next.folders, ElementsAre(at("home/include"), at("home/include/cccl")));
    EXPECT_THAT(next.refused, ElementsAre(AllOf(HasSubstr(at("toolkit/include")), HasSubstr("can be written by others"))));
    let_others_write("home/include/cccl/cuda");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("home/include")));
    let_others_write("home");
    const ToolkitHeaders none = detail::toolkit_headers(nvrtc, 13000, at("default"));
    EXPECT_THAT(none.folders, IsEmpty());
    EXPECT_EQ(none.refused.size(), 2u);
}

TEST_F(ToolkitHeadersTest, RefusesFoldersThatAreLinkedToAnotherUsersFolder) {
    const std::string nvrtc = file("lib/libnvrtc.so");
    file("others/include/cuda_fp16.h");
    let_others_write("others");
    fs::create_directory_symlink(root / "others/include", root / "include");
    EXPECT_THAT(toolkit_headers(nvrtc), IsEmpty());
}

TEST_F(ToolkitHeadersTest, RefusesHeadersOfAnotherUser) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
    const std::string nvrtc = file("lib/libnvrtc.so");
    file("include/cuda_fp16.h");
    ASSERT_EQ(lchown(at("include").c_str(), 12345, 12345), 0);
    const ToolkitHeaders headers = detail::toolkit_headers(nvrtc, 13000, at("default"));
    EXPECT_THAT(headers.folders, IsEmpty());
    EXPECT_THAT(headers.refused, ElementsAre(HasSubstr("belongs to user 12345")));
}

TEST_F(ToolkitHeadersTest, RefusesHeadersOfAnotherMajorRelease) {
    const std::string nvrtc = file("lib/libnvrtc.so.12");
    headers("path/include", 13050);
    headers("home/include", 12080);
    setenv("CUDA_PATH", at("path").c_str(), 1);
    const ToolkitHeaders none = detail::toolkit_headers(nvrtc, 12090, at("default"));
    EXPECT_THAT(none.folders, IsEmpty());
    EXPECT_THAT(none.refused, ElementsAre(AllOf(HasSubstr(at("path/include")), HasSubstr("13.5"), HasSubstr("12.9"))));
    setenv("CUDA_HOME", at("home").c_str(), 1);
    const ToolkitHeaders next = detail::toolkit_headers(nvrtc, 12090, at("default"));
    EXPECT_THAT(next.folders, ElementsAre(at("home/include")));
    EXPECT_EQ(next.release, 12080);
}

TEST_F(ToolkitHeadersTest, CompletesAWheelWithCcclOfTheSameRelease) {
    const std::string nvrtc = file("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    file("nvidia/cuda_runtime/include/cuda_fp16.h");
    headers("default/include", 12080);
    file("default/include/cccl/cuda/std/atomic");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("nvidia/cuda_runtime/include")));
    headers("default/include", 13000);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("nvidia/cuda_runtime/include"), at("default/include/cccl")));
    let_others_write("default/include/cccl");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("nvidia/cuda_runtime/include")));
}

TEST_F(ToolkitHeadersTest, UsesTheDefaultToolkitOfTheSameReleaseLast) {
    const std::string nvrtc = file("lib/libnvrtc.so");
    headers("default/include", 13010);
    EXPECT_THAT(toolkit_headers(nvrtc), IsEmpty());
    headers("default/include", 13000);
    file("default/include/cuda/std/atomic");
    file("default/include/nv/target");
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("default/include")));
    EXPECT_TRUE(detail::toolkit_headers(nvrtc, 13000, at("default")).has_cccl);
}

TEST_F(ToolkitHeadersTest, PrefersHeadersOfTheSameRelease) {
    const std::string nvrtc = file("toolkit/lib/libnvrtc.so");
    headers("toolkit/include", 13010);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("toolkit/include")));
    headers("path/include", 13000);
    setenv("CUDA_PATH", at("path").c_str(), 1);
    EXPECT_THAT(toolkit_headers(nvrtc), ElementsAre(at("path/include")));
}

}  // namespace
}  // namespace cubind::testing
