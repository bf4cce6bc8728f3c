// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Fills in several dimensions and changes of embedded graphs on a GPU.

#include <cubind/core.hpp>
#include <cubind/core/array.hpp>
#include <cubind/core/graph.hpp>
#include <cubind/core/strided.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

class FillGpuTest : public DeviceGpuTest {
protected:
    template <class Source>
    Numbers read(std::size_t count, Source& source) {
        Numbers numbers(count);
        copy(stream, numbers, source);
        stream.synchronize();
        return numbers;
    }
};

TEST_F(FillGpuTest, FillsRowsSlicesArraysAndViews) {
    auto numbers = device->allocate<std::uint32_t>(stream, 24);
    fill(stream, numbers, 1u);
    fill(stream, PitchedSpan<std::uint32_t>(numbers.kernel_argument(), {1, 2, 2}, 16, 3), 5u);
    EXPECT_EQ(read(24, numbers), (Numbers{5, 1, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1, 5, 1, 1, 1, 5, 1, 1, 1, 1, 1, 1, 1}));
    const StridedView whole(numbers, {2, 3, 4});
    fill(stream, whole.select(2, 1).reverse(0), 6u);
    EXPECT_EQ(read(24, numbers), (Numbers{5, 6, 1, 1, 5, 6, 1, 1, 1, 6, 1, 1, 5, 6, 1, 1, 5, 6, 1, 1, 1, 6, 1, 1}));
    const Array image(*device, {.format = ArrayFormat::of<std::uint32_t>(), .width = 4, .height = 2, .depth = 3});
    fill(stream, image, 7u);
    fill(stream, image.layer(1), std::byte{0});
    Numbers expected(24, 7);
    std::fill_n(expected.begin() + 8, 8, 0u);
    EXPECT_EQ(read(24, image), expected);
    GraphBuilder builder(*device);
    builder.begin_building();
    fill(builder, image, 9u);
    builder.end_building();
    builder.complete().launch(stream);
    EXPECT_EQ(read(24, image), Numbers(24, 9));
}

TEST_F(FillGpuTest, AddsNodesOfTwoDimensionsAndReplacesEmbeddedGraphs) {
    auto numbers = device->allocate<std::uint32_t>(stream, 8);
    fill(stream, numbers, 1u);
    const PitchedSpan<std::uint32_t> columns(numbers.kernel_argument(), {.width = 1, .height = 4}, 8);
    GraphDefinition inner(*device);
    inner.fill(columns, 2u);
    GraphDefinition definition(*device);
    const ChildGraphNode node = definition.embed(inner);
    definition.instantiate().launch(stream);
    EXPECT_EQ(read(8, numbers), (Numbers{2, 1, 2, 1, 2, 1, 2, 1}));
    GraphDefinition other(*device);
    other.fill(numbers, 3u).fill(columns, 4u);
    node.update(other);
    EXPECT_EQ(node.child_graph().nodes().size(), 2u);
    definition.instantiate().launch(stream);
    EXPECT_EQ(read(8, numbers), (Numbers{4, 3, 4, 3, 4, 3, 4, 3}));
    EXPECT_EQ(definition.allocate(64, {.memory_type = MemoryType::managed}).memory_type(), MemoryType::managed);
}

TEST_F(FillGpuTest, KnowsDevicesAndResources) {
    const Array image(*device, {.format = ArrayFormat::of<float>(), .width = 8, .height = 8, .surface_load_store = true});
    const TextureObject texture(image);
    const SurfaceObject surface(image);
    EXPECT_EQ(texture.resource().res.array.hArray, image.native_handle());
    EXPECT_EQ(surface.resource().res.array.hArray, image.native_handle());
    EXPECT_EQ(texture.device(), *device);
    EXPECT_EQ(stream.record().device(), *device);
}

}  // namespace
}  // namespace cubind::testing
