// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/stream/event.hpp>

#include <functional>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

/// Makes every driver call of an operation fail in turn. Checks that nothing leaks and that the caller's context does not change.
class LaunchSweepTest : public LaunchTest {
protected:
    std::size_t sweep(const std::function<void()>& operation) {
        const ContextRef current = Device(1).primary_context();
        current.set_current();
        layers::leaks::start();
        const auto before = layers::leaks::checkpoint();
        const auto after = [&](const layers::faults::Fault& fault) {
            EXPECT_EQ(layers::leaks::report(before), "") << fault.function;
            EXPECT_EQ(ContextRef::current(), current) << fault.function;
        };
        // cuCtxPopCurrent is exempt, because it does not fail after a successful cuCtxPushCurrent.
        const std::size_t faults = layers::faults::fail_each_call(
            operation, {.status = driver::CUDA_ERROR_UNKNOWN, .except = {"cuCtxPopCurrent"}, .after = after});
        EXPECT_EQ(ContextRef::current(), current);
        stream.synchronize();
        return faults;
    }
    static constexpr driver::CUdeviceptr x = 16;
};

// Checks that the error names the call that failed.
template <class Function>
void expect_function_named(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        EXPECT_NE(error.function(), "") << error.what();
        throw;
    }
}

TEST_F(LaunchSweepTest, LaunchReportsEachFailure) {
    const auto saxpy = kernel("saxpy").native_handle();
    // Each run creates a new kernel state, so that each launch is the first launch of its kernel. With each fault, the
    // diagnostics of a refused launch run, too.
    EXPECT_GE(sweep([&] {
                  expect_function_named([&] {
                      launch(stream, {.grid = 4, .block = 32, .shared_memory_size = 60000, .cluster = 2, .cooperative = true},
                             Kernel::view_of(saxpy), 1.0f, x, x, x);
                  });
              }),
              3u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

TEST_F(LaunchSweepTest, ARefusedLaunchReportsEachFailure) {
    const auto empty = kernel("empty").native_handle();
    EXPECT_THROW(sweep([&] {
                     expect_function_named(
                         [&] { launch(stream, {.grid = 1000, .block = 1024, .cooperative = true}, Kernel::view_of(empty)); });
                 }),
                 Error)
        << "the last run has no fault";
    EXPECT_EQ(ContextRef::current(), Device(1).primary_context());
}

TEST_F(LaunchSweepTest, LaunchValidatedReportsEachFailure) {
    const auto saxpy = kernel("saxpy").native_handle();
    EXPECT_GE(sweep([&] { expect_function_named([&] { launch_validated(stream, {}, Kernel::view_of(saxpy), 1.0f, x, x, x); }); }),
              6u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

TEST_F(LaunchSweepTest, KernelFunctionReportsEachFailure) {
    const auto saxpy = kernel("saxpy").native_handle();
    EXPECT_GE(sweep([&] {
                  expect_function_named([&] {
                      const KernelFunction<void(float, float*, float*, std::size_t)> function(Kernel::view_of(saxpy), stream);
                      function(stream, {}, 1, nullptr, nullptr, 3);
                  });
              }),
              6u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

// A failed query must not be cached like a result.
TEST_F(LaunchSweepTest, LeavesTheKernelUsable) {
    const Kernel saxpy = kernel("saxpy");
    sweep([&] { launch_validated(stream, {.shared_memory_size = 60000}, saxpy, 1.0f, x, x, x); });
    layers::faults::stop();
    launch_validated(stream, {.shared_memory_size = 60000}, saxpy, 1.0f, x, x, x);
    EXPECT_THROW(launch_validated(stream, {}, saxpy, 1.0f, x, x), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
