// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/kernel_function.hpp>

#include <span>
#include <tuple>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

struct Memory {
    driver::CUdeviceptr address;
    driver::CUdeviceptr native_handle() const { return address; }
};

using Saxpy = KernelFunction<void(float, const float*, float*, std::size_t)>;

class KernelFunctionTest : public LaunchTest {
protected:
    void SetUp() override {
        sim::define_kernel("saxpy", [this](const sim::Launch&, float a, const float* x, float* y, std::size_t n) { got = {a, x, y, n}; });
    }
    std::tuple<float, const float*, float*, std::size_t> got;
};

TEST_F(KernelFunctionTest, ConvertsArgumentsAsACallDoes) {
    const Saxpy saxpy(kernel("saxpy"));
    float values[3] = {};
    saxpy(stream, {.grid = 2, .block = 64}, 2, values, std::span<float>(values + 1, 2), 3);
    const sim::Launch launch = launched();
    EXPECT_EQ(launch.grid, (sim::Dim3{2, 1, 1}));
    EXPECT_EQ(launch.block, (sim::Dim3{64, 1, 1}));
    EXPECT_EQ(got, std::tuple(2.0f, values, values + 1, 3u));
    saxpy(stream, {}, 0.5f, std::span<const float>(values), Memory{0x80}, std::size_t{1} << 40);
    launched();
    EXPECT_EQ(got, std::tuple(0.5f, values, reinterpret_cast<float*>(0x80), std::size_t{1} << 40));
    saxpy(stream, {}, 0, nullptr, nullptr, 0);
    launched();
    EXPECT_EQ(got, std::tuple(0.0f, nullptr, nullptr, 0u));
}

TEST_F(KernelFunctionTest, ComparesTheSignatureWhenItIsMade) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { KernelFunction<void(double, const float*, float*, std::size_t)>{kernel("saxpy")}; }),
                AllOf(HasSubstr("signature"), HasSubstr("\"saxpy\""), HasSubstr("parameter 1")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { KernelFunction<void(float, const float*, float*, int)>{kernel("saxpy")}; }),
                HasSubstr("argument 4 has 4"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { KernelFunction<void(float)>{kernel("saxpy")}; }), HasSubstr("given 1"));
    KernelFunction<void()>{kernel("empty")};
    EXPECT_EQ(ContextRef::current(), ContextRef());
}

TEST_F(KernelFunctionTest, ComparesNothingLater) {
    const Saxpy saxpy(kernel("saxpy"));
    layers::trace::start({.memory = 1 << 16});
    saxpy(stream, {}, 1, nullptr, nullptr, 1);
    const std::string calls = layers::trace::recorded();
    EXPECT_THAT(calls, HasSubstr("cuLaunchKernelEx"));
    EXPECT_EQ(std::ranges::count(calls, '\n'), 1) << calls;
}

TEST_F(KernelFunctionTest, IsAHandle) {
    Saxpy saxpy(kernel("saxpy"));
    const Saxpy copy = saxpy;
    EXPECT_EQ(copy.kernel().state(), saxpy.kernel().state());
    const Saxpy moved = std::move(saxpy);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { saxpy(stream, {}, 1, nullptr, nullptr, 1); }), HasSubstr("Kernel"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { Saxpy of_nothing(saxpy.kernel()); }), HasSubstr("Kernel"));
    copy(stream, {}, 1, nullptr, nullptr, 1);
    launched();
}

class KernelFunctionOn122Test : public LaunchTest {
protected:
    KernelFunctionOn122Test() : LaunchTest({.release = "12.2"}) {}
};

TEST_F(KernelFunctionOn122Test, ComparesNothing) {
    const KernelFunction<void()> wrong(kernel("saxpy"));
    const KernelFunction<void(float, float*, float*, std::size_t)> saxpy(kernel("saxpy"));
    saxpy(stream, {}, 1, nullptr, nullptr, 1);
    launched();
}

}  // namespace
}  // namespace cubind::testing
