// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/sim/kernels.hpp>

#include <array>

#include "geometry.cu.hpp"
#include "increase.cu.hpp"
#include "shapes.hpp"
#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

class KernelFileToolkitTest : public ToolkitTest {
protected:
    static void SetUpTestSuite() {
        ToolkitTest::SetUpTestSuite();
        set_embedded_code_cache(nullptr);
    }

    template <class Element, std::size_t count>
    std::array<Element, count> read(const TypedBuffer<Element>& buffer) {
        std::array<Element, count> found{};
        copy(stream, found, buffer);
        stream.synchronize();
        return found;
    }

    const Device device;
    Stream stream{device};
};

TEST_F(KernelFileToolkitTest, CallsInstancesOfTemplates) {
    TypedBuffer<float> numbers = device.allocate<float>(stream, 4);
    fill(stream, numbers, 1.5f);
    kernels::scale<float, 2>(stream, {.grid = 1, .block = 4}, numbers, 4);
    EXPECT_EQ((read<float, 4>(numbers)), (std::array{6.0f, 6.0f, 1.5f, 1.5f}));
    TypedBuffer<int> whole = device.allocate<int>(stream, 4);
    fill(stream, whole, 3);
    kernels::scale<int, 4>(stream, {.grid = 1, .block = 4}, whole, 5);
    EXPECT_EQ((read<int, 4>(whole)), (std::array{15, 15, 15, 15}));
}

TEST_F(KernelFileToolkitTest, SelectsOverloadsAndDefaultArguments) {
    TypedBuffer<int> whole = device.allocate<int>(stream, 1);
    fill(stream, whole, 3);
    kernels::increase(stream, {}, whole);
    kernels::increase(stream, {}, whole, 10);
    EXPECT_EQ((read<int, 1>(whole)), (std::array{14}));
    TypedBuffer<float> numbers = device.allocate<float>(stream, 1);
    fill(stream, numbers, 1.0f);
    kernels::increase(stream, {}, numbers);
    EXPECT_EQ((read<float, 1>(numbers)), (std::array{1.5f}));
    EXPECT_THAT(kernels::increase.overload<void(float*, float)>().symbol(), HasSubstr("Pff"));
}

TEST_F(KernelFileToolkitTest, PassesStructsAndSetsVariables) {
    const shapes::Box box{{0, 0, 0}, {1, 2, 3}};
    const std::array<float, 3> weights = {1, 1, 10};
    copy(stream, kernels::geometry::weights(device), weights);
    TypedBuffer<float> result = device.allocate<float>(stream, 1);
    kernels::geometry::volume(stream, {}, box, result);
    EXPECT_EQ((read<float, 1>(result)), (std::array{60.0f}));
    std::array<int, 1> calls{};
    copy(stream, calls, kernels::geometry::calls(device));
    stream.synchronize();
    EXPECT_EQ(calls[0], 1);
}

TEST_F(KernelFileToolkitTest, DeclaresTheTypesThatTheHostLacks) {
    TypedBuffer<int> result = device.allocate<int>(stream, 1);
    kernels::geometry::length(stream, {}, kernels::geometry::Line{{1, 2}, {4, -2}}, result);
    EXPECT_EQ((read<int, 1>(result)), (std::array{7}));
    static_assert(sizeof(kernels::float4) == 16 && alignof(kernels::float4) == 16);

    TypedBuffer<kernels::float3> corner = device.allocate<kernels::float3>(stream, 1);
    TypedBuffer<shapes::Box> box = device.allocate<shapes::Box>(stream, 1);
    const std::array<shapes::Box, 1> boxes = {{{{0, 0, 0}, {1, 2, 3}}}};
    copy(stream, box, boxes);
    kernels::geometry::corner(stream, {}, box, shapes::Side::high, corner);
    EXPECT_EQ((read<kernels::float3, 1>(corner)[0].y), 2);
}

TEST_F(KernelFileToolkitTest, SharesManagedVariables) {
    Global<int> total = kernels::total(device);
    *total.kernel_argument() = 5;
    kernels::add_to_total(stream, {}, kernels::float4{1, 2, 3, 4});
    stream.synchronize();
    EXPECT_EQ(*total.kernel_argument(), 15);
    EXPECT_EQ(kernels::add_to_total.max_threads, 64);
    EXPECT_EQ(kernels::add_to_total.symbol(), "add_to_total");
}

TEST_F(KernelFileToolkitTest, UsesKernelsOfOneNameWithOtherOptions) {
    TypedBuffer<int> whole = device.allocate<int>(stream, 1);
    fill(stream, whole, 3);
    other::kernels::increase(stream, {}, whole);
    EXPECT_EQ((read<int, 1>(whole)), (std::array{33}));
}

TEST_F(KernelFileToolkitTest, RunsABodyOfTheSimulation) {
    int calls = 0;
    sim::define_kernel(kernels::geometry::length, [&](const sim::Launch&, kernels::geometry::Line, int*) { ++calls; });
    kernels::geometry::length(stream, {}, kernels::geometry::Line{}, nullptr);
    stream.synchronize();
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace cubind::testing
