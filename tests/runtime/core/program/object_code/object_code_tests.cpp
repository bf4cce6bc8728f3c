// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class ObjectCodeTest : public CodeTest {};

TEST_F(ObjectCodeTest, ReturnsItsProperties) {
    const ObjectCode one = code();
    EXPECT_EQ(one.kind(), CodeType::ptx);
    EXPECT_EQ(one.name(), "tests");
    EXPECT_EQ(one.bytes().size(), std::strlen(code_ptx));
    EXPECT_EQ(one.text(), code_ptx);
    ASSERT_EQ(one.symbol_mapping().size(), 1u);
    EXPECT_EQ(one.symbol_mapping()[0].first, "scale<float>");
}

TEST_F(ObjectCodeTest, ReturnsConstantsWithoutLoadingTheCode) {
    faults::start();
    const ObjectCode one = ObjectCode::from_bytes(
        CodeType::ptx, code_ptx, {.name = "stored", .constants = {{"width", {EvaluatedConstant::Kind::signed_integer, 300}}}});
    EXPECT_EQ(one.constant<short>("width"), 300);
    EXPECT_THROW((void)one.constant<unsigned char>("width"), CompileError);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)one.constant<int>("height"); }), HasSubstr("\"width\""));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)code().constant<int>("height"); }), HasSubstr("no expression"));
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 0u);
}

TEST_F(ObjectCodeTest, SharesTheBytesAmongCopies) {
    const Bytes bytes = Bytes::copy_of(code_ptx, std::strlen(code_ptx));
    const ObjectCode one = ObjectCode::from_bytes(CodeType::ptx, bytes);
    const ObjectCode copy = one;
    EXPECT_EQ(copy.bytes().data(), bytes.data());
    EXPECT_EQ(copy.shared_bytes().data(), bytes.data());
    EXPECT_EQ(copy.native_handle(), one.native_handle());
}

TEST_F(ObjectCodeTest, CopiesTheBytesOfASpan) {
    std::vector<std::byte> bytes(std::strlen(code_ptx));
    std::memcpy(bytes.data(), code_ptx, bytes.size());
    const ObjectCode one = ObjectCode::from_bytes(CodeType::ptx, std::span<const std::byte>(bytes));
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    EXPECT_EQ(one.kernel("saxpy").name(), "saxpy");
}

TEST_F(ObjectCodeTest, LoadsOnceAtFirstUse) {
    leaks::start();
    faults::start();
    const ObjectCode one = code();
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 0u);
    std::vector<std::thread> threads;
    std::vector<driver::CUlibrary> seen(8);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        threads.emplace_back([&, i] {
            (void)one.kernel("saxpy");
            seen[i] = one.native_handle();
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 1u);
    EXPECT_THAT(seen, ::testing::Each(one.native_handle()));
}

TEST_F(ObjectCodeTest, ReturnsKernelsBySymbolAndByExpression) {
    const ObjectCode one = code();
    EXPECT_EQ(one.kernel("scale<float>").name(), "_Z5scaleIfEvPT_");
    EXPECT_EQ(one.kernel("scale<float>"), one.kernel("_Z5scaleIfEvPT_"));
    EXPECT_NE(one.kernel("saxpy"), one.kernel("tiled"));
}

TEST_F(ObjectCodeTest, ReturnsTheVariableOfEachDevice) {
    const ObjectCode one = code();
    const GlobalVariable first = one.global("counter", Device(0));
    const GlobalVariable second = one.global("counter", Device(1));
    EXPECT_NE(first.address, second.address);
    EXPECT_EQ(first.size, 4u);
    EXPECT_EQ(one.global("counter").address, first.address) << "without a current context it is device 0";
    EXPECT_EQ(one.global("coefficients", Device(1)).size, 64u);
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(ObjectCodeTest, ReturnsOneManagedVariableForAllDevices) {
    const ObjectCode one = code();
    const GlobalVariable shared = one.managed("shared_counter");
    EXPECT_EQ(shared.size, 4u);
    EXPECT_EQ(*reinterpret_cast<int*>(shared.address), 3);
    EXPECT_EQ(one.managed("shared_counter").address, shared.address);
}

TEST_F(ObjectCodeTest, ReturnsAModulePerDevice) {
    const ObjectCode one = code();
    EXPECT_NE(one.module(), nullptr);
    EXPECT_NE(one.module(Device(0)), one.module(Device(1)));
}

TEST_F(ObjectCodeTest, UnloadsWithItsLastUser) {
    use_devices();
    leaks::start();
    {
        std::optional<ObjectCode> one = code();
        std::optional<Kernel> kernel = one->kernel("saxpy");
        one.reset();
        EXPECT_NE(leaks::report(), "") << "the kernel retains its code";
        EXPECT_EQ(kernel->parameters().size(), 4u);
        kernel.reset();
    }
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(ObjectCodeTest, ReportsEveryFailedCall) {
    sweep([] { (void)code().kernel("saxpy"); });
}

TEST_F(ObjectCodeTest, ReportsEveryFailedCallForAnUnknownKernel) {
    const auto unknown = [] {
        try {
            (void)code().kernel("no such kernel");
        } catch (const LoadError& error) {
            if (error.name() != "CUDA_ERROR_NOT_FOUND") throw;
        }
    };
    sweep(unknown, {"cuLibraryGetKernelCount", "cuLibraryEnumerateKernels", "cuKernelGetName"});
}

TEST_F(ObjectCodeTest, ReportsEveryFailedCallForAVariable) {
    sweep([] { (void)code().global("counter", Device(1)); }, current_device);
    sweep([] { (void)code().managed("shared_counter"); }, current_device);
    sweep([] { (void)code().module(Device(1)); }, current_device);
    sweep([] { (void)code().native_handle(); }, current_device);
}

TEST_F(ObjectCodeTest, LoadsAgainAfterAFailure) {
    const ObjectCode one = code();
    faults::start();
    faults::fail("cuLibraryLoadData", driver::CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THROW((void)one.kernel("saxpy"), OutOfMemory);
    EXPECT_EQ(one.kernel("saxpy").name(), "saxpy");
}

}  // namespace
}  // namespace cubind::testing
