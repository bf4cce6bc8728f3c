// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/checked_launch.hpp>
#include <cubind/core/kernel_function.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/substitute.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>

#include "launch_test.hpp"

namespace {

std::atomic<unsigned long> allocations{0};

}  // namespace

// Sanitizers have operators of their own, which some do not let go.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define OPERATORS_ARE_THE_SANITIZERS
#endif
#endif
#ifndef OPERATORS_ARE_THE_SANITIZERS

// Compilers that see into one of a pair and not into the other take them for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

#endif

namespace cubind::testing {
namespace {

unsigned long calls_of_launch = 0;
unsigned long other_calls = 0;

driver::CUresult count_launch(const driver::CUlaunchConfig*, driver::CUfunction, void**, void**) {
    ++calls_of_launch;
    return driver::CUDA_SUCCESS;
}
// Is called with the arguments of any function, of which it takes none: the calling conventions of C allow for that.
driver::CUresult count_other() {
    ++other_calls;
    return driver::CUDA_SUCCESS;
}
driver::CUresult give_context(driver::CUcontext* context) {
    ++other_calls;
    *context = reinterpret_cast<driver::CUcontext>(0x300);
    return driver::CUDA_SUCCESS;
}
driver::CUresult give_context_of(driver::CUstream, driver::CUcontext* context) {
    return give_context(context);
}
void* find(const char* symbol) noexcept {
    const std::string_view name = symbol;
    if (name == "cuLaunchKernelEx") return reinterpret_cast<void*>(count_launch);
    if (name == "cuCtxGetCurrent") return reinterpret_cast<void*>(give_context);
    if (name == "cuStreamGetCtx") return reinterpret_cast<void*>(give_context_of);
    return reinterpret_cast<void*>(count_other);
}
constexpr cubind::Substitute counting{.path = "counting", .found_via = "a test", .find = find};

class HotPathTest : public ::testing::Test {
protected:
    void SetUp() override { substitute(driver::library(), driver::all_entry_points(), &counting); }
    void TearDown() override { substitute(driver::library(), driver::all_entry_points(), nullptr); }

    /// Neither allocations nor calls but the launch, once a kernel is known.
    template <class Launch>
    void expect_nothing_else(Launch launch) {
        launch();
        const unsigned long before = allocations;
        calls_of_launch = other_calls = 0;
        for (int i = 0; i < 10; ++i) launch();
        EXPECT_EQ(allocations, before);
        EXPECT_EQ(calls_of_launch, 10u);
        EXPECT_EQ(other_calls, 0u);
    }

    Kernel kernel = Kernel::from_native_handle(reinterpret_cast<driver::CUkernel>(0x100));
    StreamRef stream = reinterpret_cast<driver::CUstream>(0x200);
    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(HotPathTest, OfLaunch) {
    const LaunchConfig config{.grid = 2, .block = 3};
    expect_nothing_else([&] { launch(stream, config, kernel); });
    expect_nothing_else([&] { launch(stream, config, kernel, 1.0f, x, nullptr); });
    expect_nothing_else([&] { launch(stream, config, kernel, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x); });
    expect_nothing_else([&] { launch(stream, {.grid = 4, .cluster = 2, .cooperative = true, .priority = 1}, kernel, x); });
}

TEST_F(HotPathTest, OfCheckedLaunch) {
    const LaunchConfig config{.grid = 2, .block = 3};
    expect_nothing_else([&] { checked_launch(stream, config, kernel); });
}

TEST_F(HotPathTest, OfKernelFunction) {
    const KernelFunction<void()> function(kernel);
    expect_nothing_else([&] { function(stream, {.grid = 2, .block = 3}); });
}

}  // namespace
}  // namespace cubind::testing
