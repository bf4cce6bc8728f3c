// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/checked_launch.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/kernel_function.hpp>

#include <functional>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

/// Every driver call of an operation fails in turn: nothing is lost, and the caller's context is the same.
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
        // What was pushed can be popped.
        const std::size_t faults = layers::faults::fail_each_call(operation, {.status = driver::CUDA_ERROR_UNKNOWN, .except = {"cuCtxPopCurrent"}, .after = after});
        EXPECT_EQ(ContextRef::current(), current);
        stream.synchronize();
        return faults;
    }
    static constexpr driver::CUdeviceptr x = 16;
};

// Each says which call failed.
template <class Function>
void expect_named(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        EXPECT_NE(error.function(), "") << error.what();
        throw;
    }
}

TEST_F(LaunchSweepTest, Launch) {
    const auto saxpy = kernel("saxpy").native_handle();
    // Its own kernel state each time, so that the first launch is what is swept. With each fault the refusal is looked into as well.
    EXPECT_GE(sweep([&] {
        expect_named([&] {
            launch(stream, {.grid = 4, .block = 32, .shared_memory_size = 60000, .cluster = 2, .cooperative = true}, Kernel::from_native_handle(saxpy), 1.0f, x, x, x);
        });
    }), 3u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

TEST_F(LaunchSweepTest, RefusedLaunch) {
    const auto empty = kernel("empty").native_handle();
    EXPECT_THROW(sweep([&] {
        expect_named([&] { launch(stream, {.grid = 1000, .block = 1024, .cooperative = true}, Kernel::from_native_handle(empty)); });
    }), Error) << "in the last run no call is made to fail";
    EXPECT_EQ(ContextRef::current(), Device(1).primary_context());
}

TEST_F(LaunchSweepTest, CheckedLaunch) {
    const auto saxpy = kernel("saxpy").native_handle();
    EXPECT_GE(sweep([&] { expect_named([&] { checked_launch(stream, {}, Kernel::from_native_handle(saxpy), 1.0f, x, x, x); }); }), 6u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

TEST_F(LaunchSweepTest, KernelFunction) {
    const auto saxpy = kernel("saxpy").native_handle();
    EXPECT_GE(sweep([&] {
        expect_named([&] {
            const KernelFunction<void(float, float*, float*, std::size_t)> function(Kernel::from_native_handle(saxpy));
            function(stream, {}, 1, nullptr, nullptr, 3);
        });
    }), 6u);
    EXPECT_EQ(sim::launches().size(), 1u);
}

// A failure must not be remembered as if it were an answer.
TEST_F(LaunchSweepTest, AKernelIsTheSameAfterAFailure) {
    const Kernel saxpy = kernel("saxpy");
    sweep([&] { checked_launch(stream, {.shared_memory_size = 60000}, saxpy, 1.0f, x, x, x); });
    layers::faults::stop();
    checked_launch(stream, {.shared_memory_size = 60000}, saxpy, 1.0f, x, x, x);
    EXPECT_THROW(checked_launch(stream, {}, saxpy, 1.0f, x, x), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
