// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A host process that loads and unloads a plugin that contains the high-level layer. The host does not contain cubind.

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>

// The leak sanitizer of clang++ 14 reads thread-local memory of libraries that were unloaded, and crashes. The address sanitizer
// calls this function; otherwise nothing does.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}

namespace cubind::testing {
namespace {

void load_and_unload(const char* file) {
    ASSERT_EQ(setenv("CUBIND_DRIVER_LIBRARY", SIMULATED_DRIVER, 1), 0);
    for (int load = 0; load < 40; ++load) {
        void* const plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(plugin, nullptr) << dlerror();
        const auto run = reinterpret_cast<int (*)()>(dlsym(plugin, "cubind_test_plugin"));
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run(), 0) << "load " << load;
        ASSERT_EQ(dlclose(plugin), 0);
        ASSERT_EQ(dlopen(file, RTLD_NOW | RTLD_NOLOAD), nullptr) << "the code is still mapped";
    }
}

TEST(PluginTest, CanBeUnloaded) {
    load_and_unload(PLUGIN);
}

TEST(PluginTest, CanBeUnloadedAfterLaunches) {
    load_and_unload(LAUNCH_PLUGIN);
}

}  // namespace
}  // namespace cubind::testing
