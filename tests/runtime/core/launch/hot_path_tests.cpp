// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/memory_operation.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/substitute.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>

#include "launch_test.hpp"
#include "sanitizers.hpp"

namespace {

std::atomic<unsigned long> allocations{0};

}  // namespace

// Sanitizers replace the operators themselves, and some do not allow another replacement.
#if !CUBIND_TEST_ALLOCATOR_SANITIZER

// A compiler that inlines one operator of a pair and not the other reports a mismatch.
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

constexpr std::uintptr_t first_kernel = 0x100;
unsigned long calls_of_launch = 0;
unsigned long other_calls = 0;

driver::CUresult count_launch(const driver::CUlaunchConfig*, driver::CUfunction, void**, void**) {
    ++calls_of_launch;
    return driver::CUDA_SUCCESS;
}
// Replaces functions with any parameters and ignores the arguments, which the calling conventions of C allow.
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
// The handle of a kernel is first_kernel plus the number of its parameters. The first parameter has 4 bytes, the others have 8.
driver::CUresult give_parameter_count(driver::CUkernel kernel, std::size_t* count) {
    ++other_calls;
    *count = reinterpret_cast<std::uintptr_t>(kernel) - first_kernel;
    return driver::CUDA_SUCCESS;
}
driver::CUresult give_parameter(driver::CUkernel, std::size_t index, std::size_t* offset, std::size_t* size) {
    ++other_calls;
    *offset = 8 * index;
    *size = index == 0 ? 4 : 8;
    return driver::CUDA_SUCCESS;
}
void* find(const char* symbol) noexcept {
    const std::string_view name = symbol;
    if (name == "cuLaunchKernelEx") return reinterpret_cast<void*>(count_launch);
    if (name == "cuCtxGetCurrent") return reinterpret_cast<void*>(give_context);
    if (name == "cuStreamGetCtx") return reinterpret_cast<void*>(give_context_of);
    if (name == "cuKernelGetParamCount") return reinterpret_cast<void*>(give_parameter_count);
    if (name == "cuKernelGetParamInfo") return reinterpret_cast<void*>(give_parameter);
    return reinterpret_cast<void*>(count_other);
}
constexpr cubind::Substitute counting{.path = "counting", .found_via = "a test", .find = find};

class LaunchHotPathTest : public ::testing::Test {
protected:
    void SetUp() override { substitute(driver::library(), driver::all_entry_points(), &counting); }
    void TearDown() override { substitute(driver::library(), driver::all_entry_points(), nullptr); }

    /// Expects that a launch allocates nothing and makes no other call after the first launch of the kernel.
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

    static Kernel kernel_of(std::size_t parameters) {
        return Kernel::view_of(reinterpret_cast<driver::CUkernel>(first_kernel + parameters));
    }

    const LaunchConfig config{.grid = 2, .block = 3};
    StreamRef stream = reinterpret_cast<driver::CUstream>(0x200);
    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(LaunchHotPathTest, ContainsOnlyTheLaunch) {
    const Kernel none = kernel_of(0), three = kernel_of(3), sixteen = kernel_of(16), one = kernel_of(1);
    expect_nothing_else([&] { launch(stream, config, none); });
    expect_nothing_else([&] { launch(stream, config, three, 1.0f, x, nullptr); });
    expect_nothing_else([&] { launch(stream, config, sixteen, 1, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x); });
    expect_nothing_else([&] { launch(stream, {.grid = 4, .cluster = 2, .cooperative = true, .priority = 1}, one, 1); });
}

TEST_F(LaunchHotPathTest, ContainsOnlyTheUncheckedLaunch) {
    const Kernel three = kernel_of(3);
    expect_nothing_else([&] { launch_unchecked(stream, config, three, 1.0f, x, nullptr); });
}

TEST_F(LaunchHotPathTest, ContainsOnlyTheValidatedLaunchWithoutBuffers) {
    const Kernel three = kernel_of(3);
    expect_nothing_else([&] { launch_validated(stream, config, three, 1.0f, x, nullptr); });
}

TEST_F(LaunchHotPathTest, ContainsOnlyTheLaunchOfAKernelFunction) {
    const KernelFunction<void(float, const int*)> function(kernel_of(2), stream);
    expect_nothing_else([&] { function(stream, config, 1, nullptr); });
}

TEST_F(LaunchHotPathTest, ComparesArgumentsWithTheStandIn) {
    const Kernel three = kernel_of(3);
    launch(stream, config, three, 1.0f, x, nullptr);
    EXPECT_THROW(launch(stream, config, three, 1.0, x, nullptr), std::invalid_argument);
}

TEST_F(LaunchHotPathTest, IsOneCallForMemoryOperations) {
    const std::span<std::uint32_t> word(reinterpret_cast<std::uint32_t*>(x), 1);
    const auto expect_one_call = [](const auto& submit) {
        submit();
        const unsigned long before = allocations;
        other_calls = 0;
        for (int i = 0; i < 10; ++i) submit();
        EXPECT_EQ(allocations, before);
        EXPECT_EQ(other_calls, 10u);
    };
    expect_one_call([&] { write_value(stream, word, 1); });
    expect_one_call([&] { wait_value(stream, word, WaitCondition::equal, 1); });
    expect_one_call([&] { memory_barrier(stream); });
    expect_one_call([&] { memory_operation_batch(stream, {MemoryOperation::write(word, 1), MemoryOperation::barrier()}); });
}

}  // namespace
}  // namespace cubind::testing
