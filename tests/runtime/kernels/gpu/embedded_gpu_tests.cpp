// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of .cu files on a GPU: as source, as machine code, with internal linkage, on all devices.

#include <cubind/core.hpp>
#include <cubind/kernels.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "embedded_cubin.cu.hpp"
#include "hidden.cu.hpp"
#include "tiles.cu.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class EmbeddedGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        set_embedded_code_cache(nullptr);
        try {
            if (Device::count() == 0) GTEST_SKIP() << "no GPU";
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
    }

    template <class Body>
    static void on_each_device(const Body& body) {
        for (const Device& device : Device::all()) body(device, Stream(device));
    }

    template <std::size_t count>
    static std::array<int, count> read(const Stream& stream, const TypedBuffer<int>& buffer) {
        std::array<int, count> found{};
        copy(stream, found, buffer);
        stream.synchronize();
        return found;
    }
};

TEST_F(EmbeddedGpuTest, FindsKernelsAndVariablesWithInternalLinkage) {
    on_each_device([](const Device& device, const Stream& stream) {
        TypedBuffer<int> number = device.allocate<int>(stream, 1);
        fill(stream, number, 5);
        kernels::advance(stream, {}, number);
        const std::array step = {10};
        copy(stream, kernels::step(device), step);
        kernels::advance(stream, {}, number);
        kernels::twice(stream, {}, number);
        EXPECT_EQ((read<1>(stream, number)), (std::array{36}));
        const std::array first_step = {3};
        copy(stream, kernels::step(device), first_step);
        stream.synchronize();
    });
}

TEST_F(EmbeddedGpuTest, RunsMachineCode) {
    on_each_device([](const Device& device, const Stream& stream) {
        if (device.compute_capability().major != 9) GTEST_SKIP() << "the machine code is for compute capability 9.0";
        const std::array summand = {1};
        const std::array values = {10, 20};
        copy(stream, cubin::summand(device), summand);
        TypedBuffer<int> numbers = device.allocate<int>(stream, 2);
        copy(stream, numbers, values);
        cubin::multiply_and_add<3>(stream, {.grid = 1, .block = 2}, numbers);
        cubin::inner::negate(stream, {.grid = 1, .block = 2}, numbers);
        EXPECT_EQ((read<2>(stream, numbers)), (std::array{-31, -61}));
    });
}

TEST_F(EmbeddedGpuTest, RunsTileKernels) {
    on_each_device([](const Device& device, const Stream& stream) {
        constexpr int count = 1000;
        TypedBuffer<int> x = device.allocate<int>(stream, count), y = device.allocate<int>(stream, count);
        TypedBuffer<int> sum = device.allocate<int>(stream, count);
        fill(stream, x, 30);
        fill(stream, y, 4);
        try {
            kernels::add<int, 256>(stream, {.grid = blocks_for(count, 256)}, x, y, sum, count);
        } catch (const std::exception& error) {
            GTEST_SKIP() << error.what();  // needs NVRTC 13.3, tileiras and compute capability 8.0
        }
        std::array<int, count> expected{};
        expected.fill(34);
        EXPECT_EQ(read<count>(stream, sum), expected);
    });
}

TEST_F(EmbeddedGpuTest, NamesMachineCodeForAnotherDevice) {
    on_each_device([](const Device& device, const Stream&) {
        if (device.compute_capability().major == 9) GTEST_SKIP() << "the machine code is for this device";
        try {
            (void)cubin::inner::negate.kernel(device);
            ADD_FAILURE() << "the code was loaded";
        } catch (const LoadError& error) {
            EXPECT_THAT(error.what(), HasSubstr("sm_90"));
        }
    });
}

}  // namespace
}  // namespace cubind::testing
