// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "code_test.hpp"

#include <cubind/core/context.hpp>
#include <cubind/core/stream.hpp>

#include <optional>
#include <thread>

#include "support/deferred.hpp"

namespace cubind::testing {
namespace {

TEST_F(CodeTest, MayEndOnAnotherThreadWithoutAContext) {
    use_devices();
    leaks::start();
    std::optional<Kernel> kernel = code().kernel("saxpy");
    std::thread([&] { kernel.reset(); }).join();
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(CodeTest, MayEndWithinAHostFunctionOfAStream) {
    const Stream stream{Device(0)};
    leaks::start();
    std::optional<Kernel> kernel = code().kernel("saxpy");
    stream.launch_host_function([&] { kernel.reset(); });
    stream.synchronize();
    detail::wait_for_deferred();
    EXPECT_FALSE(kernel.has_value());
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(CodeTest, MayEndWithAHostFunctionThatOwnsIt) {
    const Stream stream{Device(0)};
    leaks::start();
    stream.launch_host_function([kernel = code().kernel("saxpy")] { (void)kernel.name(); });
    stream.synchronize();
    detail::wait_for_deferred();
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(CodeTest, WhatCannotBeUnloadedIsReported) {
    std::optional<Kernel> kernel = code().kernel("saxpy");
    faults::start();
    faults::fail("cuLibraryUnload", driver::CUDA_ERROR_LAUNCH_FAILED);
    kernel.reset();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(AllOf(HasSubstr("could not unload code"), HasSubstr("CUDA_ERROR_LAUNCH_FAILED"))));
}

TEST_F(CodeTest, AfterTheDriverThereIsNothingToUnload) {
    std::optional<Kernel> kernel = code().kernel("saxpy");
    faults::start();
    faults::fail("cuLibraryUnload", driver::CUDA_ERROR_DEINITIALIZED);
    kernel.reset();
}

}  // namespace
}  // namespace cubind::testing
