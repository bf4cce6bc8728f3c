// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/stream.hpp>

#include <optional>
#include <thread>

#include "code_test.hpp"
#include "lifetime/deferred.hpp"

namespace cubind::testing {
namespace {

class ObjectCodeLifetimeTest : public CodeTest {};

TEST_F(ObjectCodeLifetimeTest, EndsOnAnotherThreadWithoutAContext) {
    use_devices();
    leaks::start();
    std::optional<Kernel> kernel = code().kernel("saxpy");
    std::thread([&] { kernel.reset(); }).join();
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(ObjectCodeLifetimeTest, EndsInAHostFunction) {
    const Stream stream{Device(0)};
    leaks::start();
    std::optional<Kernel> kernel = code().kernel("saxpy");
    stream.launch_host_function([&] { kernel.reset(); });
    stream.synchronize();
    EXPECT_FALSE(kernel.has_value());
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(ObjectCodeLifetimeTest, EndsWithAHostFunctionThatOwnsIt) {
    const Stream stream{Device(0)};
    leaks::start();
    stream.launch_host_function([kernel = code().kernel("saxpy")] { (void)kernel.name(); });
    stream.synchronize();
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(ObjectCodeLifetimeTest, ReportsAFailedUnload) {
    std::optional<Kernel> kernel = code().kernel("saxpy");
    faults::start();
    faults::fail("cuLibraryUnload", driver::CUDA_ERROR_LAUNCH_FAILED);
    kernel.reset();
    EXPECT_THAT(taken_cleanup_messages(),
                ElementsAre(AllOf(HasSubstr("could not unload code"), HasSubstr("CUDA_ERROR_LAUNCH_FAILED"))));
}

TEST_F(ObjectCodeLifetimeTest, ReportsNothingAfterTheDriverHasShutDown) {
    std::optional<Kernel> kernel = code().kernel("saxpy");
    faults::start();
    faults::fail("cuLibraryUnload", driver::CUDA_ERROR_DEINITIALIZED);
    kernel.reset();
}

}  // namespace
}  // namespace cubind::testing
