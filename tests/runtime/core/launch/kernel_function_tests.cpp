// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_function.hpp>

#include <algorithm>
#include <span>
#include <tuple>
#include <type_traits>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

struct AddressedMemory {
    driver::CUdeviceptr address;
    driver::CUdeviceptr native_handle() const { return address; }
};

using Saxpy = KernelFunction<void(float, const float*, float*, std::size_t)>;

class KernelFunctionTest : public LaunchTest {
protected:
    void SetUp() override {
        sim::define_kernel("saxpy", [this](const sim::Launch&, float a, const float* x, float* y, std::size_t n) {
            got = {a, x, y, n};
        });
    }
    std::tuple<float, const float*, float*, std::size_t> got;
};

TEST_F(KernelFunctionTest, ConvertsArgumentsAsACallOfAFunction) {
    const Saxpy saxpy(kernel("saxpy"), stream);
    float values[3] = {};
    saxpy(stream, {.grid = 2, .block = 64}, 2, values, std::span<float>(values + 1, 2), 3);
    const sim::Launch launch = launched();
    EXPECT_EQ(launch.grid, (sim::Extent3{2, 1, 1}));
    EXPECT_EQ(launch.block, (sim::Extent3{64, 1, 1}));
    EXPECT_EQ(got, std::tuple(2.0f, values, values + 1, 3u));
    saxpy(stream, {}, 0.5f, std::span<const float>(values), AddressedMemory{0x80}, std::size_t{1} << 40);
    launched();
    EXPECT_EQ(got, std::tuple(0.5f, values, reinterpret_cast<float*>(0x80), std::size_t{1} << 40));
    saxpy(stream, {}, 0, nullptr, nullptr, 0);
    launched();
    EXPECT_EQ(got, std::tuple(0.0f, nullptr, nullptr, 0u));
}

TEST_F(KernelFunctionTest, ComparesTheSignatureAtConstruction) {
    EXPECT_THAT(
        message_of<std::invalid_argument>([&] {
            KernelFunction<void(double, const float*, float*, std::size_t)>{kernel("saxpy"), stream};
        }),
        AllOf(HasSubstr("signature"), HasSubstr("\"saxpy\""), HasSubstr("type 1 has 8 bytes"), HasSubstr("parameter 1 has 4")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    KernelFunction<void(float, const float*, float*, int)>{kernel("saxpy"), stream};
                }),
                AllOf(HasSubstr("type 4 has 4 bytes"), Not(HasSubstr("use a KernelFunction"))));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    KernelFunction<void(float)>{kernel("saxpy"), stream};
                }),
                AllOf(HasSubstr("4 parameters"), HasSubstr("the signature has 1")));
    KernelFunction<void()>{kernel("empty"), stream};
    EXPECT_EQ(ContextRef::current(), ContextRef());
}

TEST_F(KernelFunctionTest, IsBoundToADeviceOrAStream) {
    const Kernel saxpy = kernel("saxpy");
    static_assert(!std::is_constructible_v<Saxpy, Kernel>);
    static_assert(std::is_constructible_v<Saxpy, Kernel, StreamRef> && std::is_constructible_v<Saxpy, Kernel, Stream&>);
    const Saxpy for_device(saxpy, Device(1));
    const Saxpy for_stream(Kernel::view_of(saxpy.native_handle()), stream);
    EXPECT_EQ(ContextRef::current(), ContextRef());
    for (const Saxpy& each : {for_device, for_stream}) {
        each(stream, {}, 1, nullptr, nullptr, 1);
        launched();
    }
}

// A context is created only on the device for which the signature is compared.
TEST(KernelFunctionDeviceTest, RetainsNoContextOfAnotherDevice) {
    sim::install({.devices = 2});
    {
        check(driver::cuInit(0));
        const auto library = check(driver::cuLibraryLoadData(launch_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
        const Kernel saxpy = Kernel::view_of(check(driver::cuLibraryGetKernel(library, "saxpy")));
        const Saxpy for_device(saxpy, Device(1));
        const Stream stream(Device(1));
        const Saxpy for_stream(Kernel::view_of(saxpy.native_handle()), stream);
        for_stream(stream, {}, 1, nullptr, nullptr, 1);
        launch(stream, {}, Kernel::view_of(saxpy.native_handle()), 1.0f, nullptr, nullptr, std::size_t{1});
        stream.synchronize();
        const auto [status_0, flags_0, is_active_0] = driver::cuDevicePrimaryCtxGetState(0);
        EXPECT_EQ(is_active_0, 0);
        const auto [status_1, flags_1, is_active_1] = driver::cuDevicePrimaryCtxGetState(1);
        EXPECT_NE(is_active_1, 0);
    }
    sim::uninstall();
}

TEST_F(KernelFunctionTest, ComparesNothingAtALaunch) {
    const Saxpy saxpy(kernel("saxpy"), stream);
    layers::trace::start({.memory = 1 << 16});
    saxpy(stream, {}, 1, nullptr, nullptr, 1);
    const std::string calls = layers::trace::recorded();
    EXPECT_THAT(calls, HasSubstr("cuLaunchKernelEx"));
    EXPECT_EQ(std::ranges::count(calls, '\n'), 1) << calls;
}

TEST_F(KernelFunctionTest, IsAHandle) {
    Saxpy saxpy(kernel("saxpy"), Device(0));
    const Saxpy copy = saxpy;
    EXPECT_EQ(copy.kernel(), saxpy.kernel());
    const Saxpy moved = std::move(saxpy);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { saxpy(stream, {}, 1, nullptr, nullptr, 1); }), HasSubstr("Kernel"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { Saxpy of_nothing(saxpy.kernel(), Device(0)); }), HasSubstr("Kernel"));
    copy(stream, {}, 1, nullptr, nullptr, 1);
    launched();
}

class KernelFunctionOn122Test : public LaunchTest {
protected:
    KernelFunctionOn122Test() : LaunchTest({.release = "12.2"}) {}
};

TEST_F(KernelFunctionOn122Test, ComparesNothing) {
    const KernelFunction<void()> wrong(kernel("saxpy"), stream);
    const KernelFunction<void(float, float*, float*, std::size_t)> saxpy(kernel("saxpy"), Device(0));
    saxpy(stream, {}, 1, nullptr, nullptr, 1);
    launched();
}

}  // namespace
}  // namespace cubind::testing
