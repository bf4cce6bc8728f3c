// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A host process that loads and unloads a plugin that contains the simulated driver. The host does not contain cubind.

#include <gtest/gtest.h>

#include <chrono>
#include <dlfcn.h>
#include <thread>

// The leak sanitizer of clang++ 14 reads thread-local memory of libraries that were unloaded, and crashes. The address sanitizer
// calls this function; otherwise nothing does.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}

namespace cubind::testing {
namespace {

class SimPluginTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_NE(plugin, nullptr) << dlerror(); }

    // Calls a function of the plugin on a thread that ends. Thread-local objects of a living thread prevent unloading.
    template <class Function>
    void call(const char* name, Function use) const {
        auto* const function = dlsym(plugin, name);
        ASSERT_NE(function, nullptr);
        std::thread([&] { use(function); }).join();
    }
    void launch() const {
        call("cubind_test_launch", [](void* function) { EXPECT_TRUE(reinterpret_cast<bool (*)()>(function)()); });
    }
    void uninstall() const {
        call("cubind_test_uninstall", [](void* function) { reinterpret_cast<void (*)()>(function)(); });
    }

    void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
};

// The threads that run the kernel execute code of the plugin.
TEST_F(SimPluginTest, RemainsLoadedWhileAKernelRuns) {
    launch();
    ASSERT_EQ(dlclose(plugin), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(plugin, nullptr) << "the code of running threads is not mapped";
    uninstall();
    EXPECT_EQ(dlclose(plugin), 0);
}

TEST_F(SimPluginTest, IsUnloadedAfterUninstall) {
    for (int load = 0; load < 3; ++load) {
        launch();
        uninstall();
        ASSERT_EQ(dlclose(plugin), 0);
        EXPECT_EQ(dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD), nullptr) << "the code is still mapped";
        plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
        ASSERT_NE(plugin, nullptr) << dlerror();
    }
    EXPECT_EQ(dlclose(plugin), 0);
}

}  // namespace
}  // namespace cubind::testing
