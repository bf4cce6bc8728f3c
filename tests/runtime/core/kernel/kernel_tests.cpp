// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "code_test.hpp"

#include <cubind/core/kernel_attributes.hpp>
#include <cubind/driver/library.hpp>

namespace cubind::testing {
namespace {

TEST_F(CodeTest, KernelTellsItsNameAndParameters) {
    const Kernel saxpy = code().kernel("saxpy");
    EXPECT_EQ(saxpy.name(), "saxpy");
    EXPECT_THAT(saxpy.parameters(),
                ElementsAre(KernelParameter{0, 4}, KernelParameter{8, 8}, KernelParameter{16, 8}, KernelParameter{24, 8}));
    EXPECT_TRUE(code().kernel("tiled").parameters().empty());
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(CodeTest, ParametersAreFoundWithoutTheirCount) {
    sim::install({.release = "12.4"});
    EXPECT_EQ(code().kernel("saxpy").parameters().size(), 4u);
}

TEST_F(CodeTest, OlderDriversDoNotTellParameters) {
    sim::install({.release = "12.3"});
    const std::string message = message_of<Error>([] { (void)code().kernel("saxpy").parameters(); });
    EXPECT_THAT(message, AllOf(HasSubstr("cuKernelGetParamInfo"), HasSubstr("12.4")));
}

TEST_F(CodeTest, KernelOfAForeignHandle) {
    const ObjectCode one = code();
    const Kernel foreign = Kernel::from_native_handle(driver::cuLibraryGetKernel(one.native_handle(), "saxpy").value);
    EXPECT_EQ(foreign, one.kernel("saxpy"));
    EXPECT_EQ(foreign.name(), "saxpy");
    EXPECT_EQ(foreign.parameters().size(), 4u);
    EXPECT_EQ(foreign.attributes().max_threads_per_block(), 1024);
}

TEST_F(CodeTest, KernelOfAForeignHandleKeepsWhatItIsGiven) {
    const auto owner = std::make_shared<int>(1);
    {
        const Kernel foreign = Kernel::from_native_handle(code().kernel("saxpy").native_handle(), owner);
        EXPECT_EQ(owner.use_count(), 2);
    }
    EXPECT_EQ(owner.use_count(), 1);
}

TEST_F(CodeTest, OldDriversDoNotTellTheNameOfAForeignKernel) {
    sim::install({.release = "12.2"});
    const ObjectCode one = code();
    EXPECT_EQ(one.kernel("saxpy").name(), "saxpy") << "cubind knows it";
    const Kernel foreign = Kernel::from_native_handle(one.kernel("saxpy").native_handle());
    EXPECT_THAT(message_of<Error>([&] { (void)foreign.name(); }), AllOf(HasSubstr("cuKernelGetName"), HasSubstr("12.3")));
}

TEST_F(CodeTest, KernelMovedFrom) {
    Kernel one = code().kernel("saxpy");
    const Kernel other = std::move(one);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)one.name(); }), HasSubstr("Kernel was moved from"));  // NOLINT
    EXPECT_THROW((void)one.parameters(), std::invalid_argument);
}

TEST_F(CodeTest, KernelEveryCallMayFail) {
    const Kernel kernel = code().kernel("saxpy");
    sweep([&] { (void)kernel.parameters(); }, current_device);
    const Kernel foreign = Kernel::from_native_handle(kernel.native_handle());
    sweep([&] { (void)foreign.name(); });
}

}  // namespace
}  // namespace cubind::testing
