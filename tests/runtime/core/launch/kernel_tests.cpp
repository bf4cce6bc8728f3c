// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_attributes.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/library.hpp>
#include <cubind/driver/primary_context.hpp>

#include <unordered_set>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class KernelTest : public CodeTest {};

TEST_F(KernelTest, ReturnsItsNameAndParameters) {
    const Kernel saxpy = code().kernel("saxpy");
    EXPECT_EQ(saxpy.name(), "saxpy");
    EXPECT_THAT(saxpy.parameters(),
                ElementsAre(KernelParameter{0, 4}, KernelParameter{8, 8}, KernelParameter{16, 8}, KernelParameter{24, 8}));
    EXPECT_TRUE(code().kernel("tiled").parameters().empty());
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(KernelTest, ReportsDriversWithoutTheNumberOfParameters) {
    sim::install({.release = "12.4"});
    EXPECT_THAT(message_of<Error>([] { (void)code().kernel("saxpy").parameters(); }),
                AllOf(HasSubstr("cuKernelGetParamCount"), HasSubstr("13.2")));
}

TEST_F(KernelTest, ReportsDriversWithoutParameters) {
    sim::install({.release = "12.3"});
    const std::string message = message_of<Error>([] { (void)code().kernel("saxpy").parameters(); });
    EXPECT_THAT(message, AllOf(HasSubstr("cuKernelGetParamInfo"), HasSubstr("12.4")));
}

TEST_F(KernelTest, ViewsAForeignHandle) {
    const ObjectCode one = code();
    const Kernel foreign = Kernel::view_of(driver::cuLibraryGetKernel(one.native_handle(), "saxpy").value);
    EXPECT_EQ(foreign, one.kernel("saxpy"));
    EXPECT_EQ(foreign.name(), "saxpy");
    EXPECT_EQ(foreign.parameters().size(), 4u);
    EXPECT_EQ(foreign.attributes().max_threads_per_block(), 1024);
}

TEST_F(KernelTest, RetainsTheOwnerOfAForeignHandle) {
    const auto owner = std::make_shared<int>(1);
    {
        const Kernel foreign = Kernel::view_of(code().kernel("saxpy").native_handle(), owner);
        EXPECT_EQ(owner.use_count(), 2);
    }
    EXPECT_EQ(owner.use_count(), 1);
}

TEST_F(KernelTest, ReportsDriversWithoutNamesOfForeignKernels) {
    sim::install({.release = "12.2"});
    const ObjectCode one = code();
    EXPECT_EQ(one.kernel("saxpy").name(), "saxpy") << "its ObjectCode has the symbol";
    const Kernel foreign = Kernel::view_of(one.kernel("saxpy").native_handle());
    EXPECT_THAT(message_of<Error>([&] { (void)foreign.name(); }), AllOf(HasSubstr("cuKernelGetName"), HasSubstr("12.3")));
}

TEST_F(KernelTest, RefusesAKernelThatWasMovedFrom) {
    Kernel one = code().kernel("saxpy");
    const Kernel other = std::move(one);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)one.name(); }), HasSubstr("Kernel was moved from"));  // NOLINT
    EXPECT_THROW((void)one.parameters(), std::invalid_argument);
    EXPECT_NE(one, other);
}

TEST_F(KernelTest, IsAKeyOfHashTables) {
    const ObjectCode one = code();
    const std::unordered_set<Kernel> kernels{one.kernel("saxpy"), one.kernel("saxpy"), one.kernel("tiled")};
    EXPECT_EQ(kernels.size(), 2u);
    EXPECT_TRUE(kernels.contains(Kernel::view_of(one.kernel("tiled").native_handle())));
    EXPECT_FALSE(kernels.contains(one.kernel("clustered")));
}

TEST_F(KernelTest, ReadsParametersInAContextOfTheDevice) {
    EXPECT_EQ(code().kernel("saxpy").parameters(Device(1)).size(), 4u);
    EXPECT_EQ(driver::cuDevicePrimaryCtxGetState(0).value1, 0) << "the context of device 0 is not needed";
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(KernelTest, ReportsEachCallThatFailsInASweep) {
    const Kernel kernel = code().kernel("saxpy");
    sweep([&] { (void)Kernel::view_of(kernel.native_handle()).parameters(); }, current_device);
    const Kernel foreign = Kernel::view_of(kernel.native_handle());
    sweep([&] { (void)foreign.name(); });
}

}  // namespace
}  // namespace cubind::testing
