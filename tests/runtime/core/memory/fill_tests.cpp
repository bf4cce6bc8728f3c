// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/array.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/strided/fill.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// Fills in several dimensions; copy_tests.cpp has those of one.
class BoxFillTest : public MemoryTest {
protected:
    /// Returns device memory of this many numbers, all of them 1.
    TypedBuffer<std::uint32_t> ones(std::size_t count) const {
        auto numbers = device.allocate<std::uint32_t>(stream, count);
        fill(stream, numbers, 1u);
        return numbers;
    }
    template <class Source>
    std::vector<std::uint32_t> read(std::size_t count, Source& source) const {
        std::vector<std::uint32_t> numbers(count, 77);
        copy(stream, numbers, source);
        stream.synchronize();
        return numbers;
    }
    static std::vector<std::uint32_t> expected(std::size_t count, const std::vector<std::size_t>& filled, std::uint32_t value) {
        std::vector<std::uint32_t> numbers(count, 1);
        for (const std::size_t i : filled) numbers[i] = value;
        return numbers;
    }
    static PitchedSpan<std::uint32_t> rows_of(const TypedBuffer<std::uint32_t>& numbers, const Extent3D& extent,
                                              std::size_t pitch, std::size_t rows_per_slice) {
        return {numbers.kernel_argument(), extent, pitch, rows_per_slice};
    }
};

// ---- pitched memory -------------------------------------------------------------------------------------------------------

TEST_F(BoxFillTest, FillsRowsAndNoGaps) {
    const auto numbers = ones(12);
    fill(stream, rows_of(numbers, {.width = 2, .height = 3}, 16, 3), 5u);
    EXPECT_EQ(read(12, numbers), expected(12, {0, 1, 4, 5, 8, 9}, 5));
    fill(stream, rows_of(numbers, {.width = 4, .height = 3}, 16, 3), 6u);  // without gaps: one call
    EXPECT_EQ(read(12, numbers), std::vector<std::uint32_t>(12, 6));
}

TEST_F(BoxFillTest, FillsBytesWordsAndAnyElement) {
    auto image = device.allocate_pitched<std::uint8_t>(stream, {.width = 5, .height = 3});
    fill(stream, image.bytes().span<std::byte>(), std::byte{1});
    fill(stream, image, 7);
    auto words = device.allocate_pitched<std::uint16_t>(stream, {.width = 5, .height = 3});
    fill(stream, words, 0x1234);
    auto numbers = device.allocate_pitched<double>(stream, {.width = 2, .height = 2});
    fill(stream, numbers, std::byte{0});
    fill(stream, image.region({.x = 1, .y = 1}, {.width = 2, .height = 2}), std::uint8_t{9});
    std::vector<std::uint8_t> bytes(15);
    std::vector<std::uint16_t> halves(15);
    std::vector<double> doubles(4, 1.0);
    copy(stream, bytes, image);
    copy(stream, halves, words);
    copy(stream, doubles, numbers);
    stream.synchronize();
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{7, 7, 7, 7, 7, 7, 9, 9, 7, 7, 7, 9, 9, 7, 7}));
    EXPECT_EQ(halves, std::vector<std::uint16_t>(15, 0x1234));
    EXPECT_EQ(doubles, std::vector<double>(4, 0.0));
}

TEST_F(BoxFillTest, FillsSlicesWithGaps) {
    const auto numbers = ones(24);
    fill(stream, rows_of(numbers, {.width = 1, .height = 2, .depth = 2}, 16, 3), 5u);
    EXPECT_EQ(read(24, numbers), expected(24, {0, 4, 12, 16}, 5));
    fill(stream, rows_of(numbers, {.width = 1, .height = 3, .depth = 2}, 16, 3), 6u);  // slices without gaps between them
    EXPECT_EQ(read(24, numbers), expected(24, {0, 4, 8, 12, 16, 20}, 6));
    fill(stream, rows_of(numbers, {.width = 3, .height = 1, .depth = 2}, 12, 4), 8u);  // rows of one slice each
    EXPECT_EQ(read(24, numbers)[12], 8u);
    EXPECT_EQ(read(24, numbers)[15], 1u);
}

TEST_F(BoxFillTest, IgnoresEmptyExtents) {
    const auto numbers = ones(4);
    for (const Extent3D& extent : {Extent3D{0, 2, 1}, Extent3D{2, 0, 1}, Extent3D{2, 2, 0}}) {
        fill(stream, rows_of(numbers, extent, 8, 2), 5u);
    }
    EXPECT_EQ(read(4, numbers), expected(4, {}, 0));
}

TEST_F(BoxFillTest, RejectsRowsThatOverlapOrDoNotFit) {
    const auto numbers = ones(16);
    expect_misuse([&] { fill(stream, rows_of(numbers, {.width = 4, .height = 2}, 8, 2), 5u); }, "16 bytes", "pitch of 8",
                  "overlap");
    expect_misuse([&] { fill(stream, rows_of(numbers, {1, 2, 2}, 8, 1), 5u); }, "2 rows", "1 rows per slice", "overlap");
    expect_misuse([&] { fill(stream, rows_of(numbers, {.width = 1, .height = 2}, 6, 2), 5u); }, "rows that lie 6 bytes apart",
                  "4 bytes", "std::uint8_t");
    expect_misuse([&] { fill(stream, rows_of(numbers, {~std::size_t{0}, 2, 1}, 8, 2), 5u); }, "a size is at most");
    expect_misuse([&] { fill(stream, rows_of(numbers, {1, (std::size_t{1} << 62) + 1, 1}, 4, 1), 5u); }, "a size is at most");
    fill(stream, rows_of(numbers, {.width = 1, .height = 2}, 6, 2), std::byte{0});
    stream.synchronize();
}

TEST_F(BoxFillTest, DescribesTheMemoryThatTheDriverRejects) {
    const PitchedSpan<std::uint32_t> nowhere(reinterpret_cast<std::uint32_t*>(64), {.width = 1, .height = 2}, 16);
    EXPECT_THAT(message_of<Error>([&] { fill(stream, nowhere, 5u); }),
                AllOf(HasSubstr("cuMemsetD2D32Async"), HasSubstr("20 bytes")));
}

// ---- arrays ---------------------------------------------------------------------------------------------------------------

TEST_F(BoxFillTest, FillsArraysAndParts) {
    const Array image(device, {.format = ArrayFormat::of<std::uint32_t>(), .width = 4, .height = 3});
    fill(stream, image, 1u);
    fill(stream, image.region({.x = 1, .y = 1}, {.width = 2, .height = 2}), 5u);
    EXPECT_EQ(read(12, image), expected(12, {5, 6, 9, 10}, 5));
    const Array volume(device, {.format = ArrayFormat::of<std::uint32_t>(), .width = 2, .height = 2, .depth = 3});
    fill(stream, volume, 1u);
    fill(stream, volume.layer(1), 5u);
    EXPECT_EQ(read(12, volume), expected(12, {4, 5, 6, 7}, 5));
    fill(stream, volume, std::byte{0});
    EXPECT_EQ(read(12, volume), std::vector<std::uint32_t>(12, 0));
    const Array bytes(device, {.format = ArrayFormat::of<std::uint8_t>(), .width = 4, .height = 3});
    expect_misuse([&] { fill(stream, bytes, 5u); }, "1 bytes", "4 bytes");
}

TEST_F(BoxFillTest, FillsArraysInGraphs) {
    const Array image(device, {.format = ArrayFormat::of<std::uint32_t>(), .width = 4, .height = 3});
    GraphBuilder builder(device);
    builder.begin_building();
    fill(builder, image, 7u);
    builder.end_building();
    builder.complete().launch(stream);
    EXPECT_EQ(read(12, image), std::vector<std::uint32_t>(12, 7));
}

// ---- strided views --------------------------------------------------------------------------------------------------------

TEST_F(BoxFillTest, FillsViewsWithAnyStrides) {
    const auto numbers = ones(24);
    const StridedView whole(numbers, {2, 3, 4});
    fill(stream, whole.select(2, 1), 5u);  // a column of each row
    EXPECT_EQ(read(24, numbers), expected(24, {1, 5, 9, 13, 17, 21}, 5));
    fill(stream, whole, 1u);
    fill(stream, whole.slice(1, 0, 2).slice(2, 1, 3), 6u);
    EXPECT_EQ(read(24, numbers), expected(24, {1, 2, 5, 6, 13, 14, 17, 18}, 6));
    fill(stream, whole.transpose(), 1u);
    EXPECT_EQ(read(24, numbers), expected(24, {}, 0));
    fill(stream, whole.slice(2, 0, 1).reverse(1), 8u);
    EXPECT_EQ(read(24, numbers), expected(24, {0, 4, 8, 12, 16, 20}, 8));
    fill(stream, StridedView(numbers, {5, 4}, {0, 1}), 9u);
    EXPECT_EQ(read(24, numbers)[3], 9u);
    EXPECT_EQ(read(24, numbers)[4], 8u);
}

TEST_F(BoxFillTest, FillsOverlappingViewsRowByRow) {
    const auto numbers = ones(8);
    fill(stream, StridedView(numbers, {3, 2}, {1, 1}), 5u);  // windows of two numbers
    EXPECT_EQ(read(8, numbers), expected(8, {0, 1, 2, 3}, 5));
}

TEST_F(BoxFillTest, ChecksTheTypeOfTheValue) {
    const auto numbers = ones(4);
    const StridedView view(numbers, {4});
    fill(stream, view, std::byte{0});
    expect_misuse([&] { fill(stream, view, 1); }, "uint32", "int32");
    expect_misuse([&] { fill(stream, view, std::uint8_t{1}); }, "uint8", "4 bytes");
    const StridedView halves({.data = reinterpret_cast<void*>(numbers.native_handle()),
                              .dtype = DataType::float16(),
                              .shape = {8},
                              .memory_type = MemoryType::device});
    fill(stream, halves, std::uint16_t{0x3C00});
    EXPECT_EQ(read(4, numbers), std::vector<std::uint32_t>(4, 0x3C003C00));
    expect_misuse([&] { fill(stream, StridedView::view_of<const std::uint32_t>(numbers.kernel_argument(), {4}), 1u); },
                  "read-only");
    fill(stream, StridedView(numbers, {0}), 1u);
}

// ---- nodes of graphs ------------------------------------------------------------------------------------------------------

TEST_F(BoxFillTest, AddsAndChangesNodesOfTwoDimensions) {
    const auto numbers = ones(24);
    GraphDefinition definition(device);
    const FillNode node = definition.fill(rows_of(numbers, {.width = 2, .height = 3}, 16, 3), 5u);
    EXPECT_EQ(node.width(), 2u);
    EXPECT_EQ(node.height(), 3u);
    EXPECT_EQ(node.pitch(), 16u);
    EXPECT_EQ(node.size(), 24u);
    definition.instantiate().launch(stream);
    EXPECT_EQ(read(24, numbers), expected(24, {0, 1, 4, 5, 8, 9}, 5));
    node.update(rows_of(numbers, {.width = 1, .height = 2, .depth = 2}, 16, 2), 6u);
    EXPECT_EQ(node.height(), 4u) << "the slices follow each other";
    expect_misuse([&] { node.update(rows_of(numbers, {.width = 1, .height = 2, .depth = 2}, 16, 3), 6u); }, "2 slices");
    expect_misuse([&] { node.update(rows_of(numbers, {.width = 0, .height = 2}, 16, 2), 6u); }, "at least 1 byte");
    auto image = device.allocate_pitched<std::uint32_t>(stream, {.width = 3, .height = 2});
    definition.fill(image, 4u);
    definition.instantiate().launch(stream);
    EXPECT_EQ(read(6, image), std::vector<std::uint32_t>(6, 4));
}

TEST_F(BoxFillTest, ReportsAFailureOfEachCall) {
    auto bytes = device.allocate_pitched<std::uint8_t>(stream, {.width = 5, .height = 2});
    auto words = device.allocate_pitched<std::uint16_t>(stream, {.width = 5, .height = 2});
    auto numbers = device.allocate_pitched<std::uint32_t>(stream, {.width = 5, .height = 2});
    const Array image(device, {.format = ArrayFormat::of<std::uint32_t>(), .width = 4, .height = 3});
    EXPECT_GE(sweep([&] {
                  fill(stream, bytes, 1);
                  fill(stream, words, 1);
                  fill(stream, numbers, 1u);
                  fill(stream, image, 1u);
                  stream.synchronize();
              }),
              6u);
}

}  // namespace
}  // namespace cubind::testing
