// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Batches of copies in several dimensions on a GPU.

#include <cubind/core.hpp>
#include <cubind/core/array.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

class CopyBatchGpuTest : public DeviceGpuTest {
protected:
    template <class Source>
    Numbers read(std::size_t count, const Source& source) {
        Numbers numbers(count);
        copy(stream, numbers, source);
        stream.synchronize();
        return numbers;
    }
};

TEST_F(CopyBatchGpuTest, CopiesArraysRowsAndMemory) {
    Numbers values(24);
    std::iota(values.begin(), values.end(), 0u);
    const Numbers twelve(values.begin(), values.begin() + 12);
    const ArrayFormat format = ArrayFormat::of<std::uint32_t>();
    Array image(*device, {.format = format, .width = 4, .height = 3});
    Array volume(*device, {.format = format, .width = 2, .height = 3, .depth = 4});
    PitchedBuffer<std::uint32_t> rows = device->allocate_pitched<std::uint32_t>(stream, {.width = 3, .height = 2, .depth = 2});
    Buffer buffer = device->allocate(stream, 16);
    const PitchedSpan<const std::uint32_t> tile(&values[1], {3, 2, 2}, 4 * sizeof(std::uint32_t), 3);
    const std::span<const std::uint32_t> four = std::span<const std::uint32_t>(values).first(4);
    copy_batch(stream, {{image, twelve}, {volume, values}, {rows, tile}, {buffer, four}},
               {.source_access_order = SourceAccessOrder::during_api_call});
    EXPECT_EQ(read(12, image), twelve);
    EXPECT_EQ(read(24, volume), values);
    EXPECT_EQ(read(12, rows), (Numbers{1, 2, 3, 5, 6, 7, 13, 14, 15, 17, 18, 19}));
    EXPECT_EQ(read(4, buffer), (Numbers{0, 1, 2, 3}));

    Numbers results(8);
    copy_batch(stream, {{std::span(results).first(4), image.region({.x = 2, .y = 1}, {.width = 2, .height = 2})},
                        {std::span(results).last(4), volume.region({.y = 1, .z = 2}, {.width = 2, .height = 1, .depth = 2})},
                        {rows.region({.x = 1}, {.width = 2, .height = 2}), image.region({}, {.width = 2, .height = 2})}});
    stream.synchronize();
    EXPECT_EQ(results, (Numbers{6, 7, 10, 11, 14, 15, 20, 21}));
    EXPECT_EQ(read(6, rows.region({}, {.width = 3, .height = 2})), (Numbers{1, 0, 1, 5, 4, 5}));
}

TEST_F(CopyBatchGpuTest, CopiesTilesOfAnImage) {
    constexpr std::size_t side = 64, tile_side = 16;
    using Texel = std::array<float, 4>;
    std::vector<Texel> texels(side * side);
    for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = {static_cast<float>(i), 1, 2, 3};
    Array image(*device, {.format = ArrayFormat::of<Texel>(), .width = side, .height = side});
    const PitchedSpan<const Texel> source(texels.data(), {side, side});
    std::vector<CopyPiece> pieces;
    for (std::size_t y = 0; y < side; y += tile_side) {
        for (std::size_t x = 0; x < side; x += tile_side) {
            const Extent3D extent{.width = tile_side, .height = tile_side};
            pieces.emplace_back(image.region({.x = x, .y = y}, extent), source.region({.x = x, .y = y}, extent));
        }
    }
    copy_batch(stream, pieces);
    std::vector<Texel> found(texels.size());
    copy(stream, found, image);
    stream.synchronize();
    EXPECT_EQ(found, texels);
}

}  // namespace
}  // namespace cubind::testing
