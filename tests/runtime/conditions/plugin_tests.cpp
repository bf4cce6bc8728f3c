// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A host process that loads and unloads plugins that contain targets of layer 3. The host does not contain cubind.
#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <unistd.h>

// As in core/plugin/plugin_tests.cpp.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// Tests with the targets in PLUGINS, a folder of libraries.
class LayerPluginTest : public ::testing::Test {
protected:
    LayerPluginTest() {
        ::setenv("CUBIND_DRIVER_LIBRARY", SIMULATED_DRIVER, 1);
        ::unsetenv("NVTX_INJECTION64_PATH");
        fs::create_directories(folder_);
    }
    ~LayerPluginTest() override { fs::remove_all(folder_); }

    /// Loads, uses and unloads a plugin repeatedly. Returns whether its code is still mapped.
    [[nodiscard]] bool remains(const std::string& target) const {
        const std::string file = std::string(PLUGINS) + "/libcubind_test_" + target + "_plugin.so";
        for (int load = 0; load < 5; ++load) {
            void* const plugin = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (plugin == nullptr) {
                ADD_FAILURE() << ::dlerror();
                return false;
            }
            const auto use = reinterpret_cast<int (*)(const char*)>(::dlsym(plugin, "cubind_test_plugin"));
            EXPECT_EQ(use(folder_.c_str()), 0) << target << ", load " << load;
            EXPECT_EQ(::dlclose(plugin), 0);
        }
        void* const left = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (left != nullptr) ::dlclose(left);
        return left != nullptr;
    }

private:
    const std::string folder_ = fs::temp_directory_path() / ("cubind_plugins." + std::to_string(::getpid()));
};

TEST_F(LayerPluginTest, IsUnloaded) {
    for (const char* const target : {"file", "math_blas", "math_contraction", "math_fft", "math_random", "math_solver",
                                     "math_sparse", "nccl", "nvshmem", "nvtx", "sweep"}) {
        if (!fs::exists(std::string(PLUGINS) + "/libcubind_test_" + target + "_plugin.so")) continue;
        EXPECT_FALSE(remains(target)) << target;
    }
}

// CUPTI and tools for NVTX keep addresses of the plugin.
TEST_F(LayerPluginTest, RemainsWhileOthersKnowItsAddresses) {
    ::setenv("NVTX_INJECTION64_PATH", RECORDING_TOOL, 1);
    EXPECT_TRUE(remains("nvtx"));
    ::unsetenv("NVTX_INJECTION64_PATH");
    if (fs::exists(std::string(PLUGINS) + "/libcubind_test_profile_plugin.so")) {
        EXPECT_TRUE(remains("profile"));
    }
}

}  // namespace
}  // namespace cubind::testing
