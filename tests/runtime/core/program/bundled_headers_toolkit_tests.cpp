// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/program.hpp>

#include <cstdlib>
#include <filesystem>

#include "program/bundled_headers.hpp"
#include "program/compile_job.hpp"
#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// NVRTC contains headers since CUDA 13.3. With older releases, the tests check that nothing is installed.
class BundledHeadersToolkitTest : public ToolkitTest {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "cubind-headers-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        setenv("XDG_CACHE_HOME", name.c_str(), 1);
    }
    void TearDown() override {
        unsetenv("XDG_CACHE_HOME");
        fs::remove_all(folder);
        ToolkitTest::TearDown();
    }

    fs::path folder;
};

TEST_F(BundledHeadersToolkitTest, InstallsNothingIfACallFailsInASweep) {
    const int version = detail::nvrtc_version();
    const auto install = [&] {
        fs::remove_all(folder / "cubind");
        const detail::BundledHeaders headers = detail::install_bundled_headers(version);
        EXPECT_EQ(headers.folder.empty(), !fs::exists(folder / "cubind/headers") || fs::is_empty(folder / "cubind/headers"));
    };
    install();
    EXPECT_EQ(fs::exists(folder / "cubind/headers"), release() >= 13030);
    if (release() >= 13030) sweep(install, {"nvrtcGetBundledHeadersInfo", "nvrtcInstallBundledHeaders"});
}

TEST_F(BundledHeadersToolkitTest, ReportsEachCallOfACompilationThatFailsInASweep) {
    if (release() < 13030) return;
    sweep(
        [&] {
            InMemoryProgramCache cache;
            Program program("#include <cuda_fp16.h>\n__global__ void kernel(__half* x) {}",
                            {.arch = "sm_90", .use_bundled_headers = (folder / "chosen").string()});
            (void)program.compile(CodeType::ptx, {.cache = &cache});
        },
        {"nvrtcDestroyProgram", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcGetPCHCreateStatus"});
}

}  // namespace
}  // namespace cubind::testing
