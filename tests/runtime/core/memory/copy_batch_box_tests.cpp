// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies in two and three dimensions in batches.

#include <cubind/core/array/array.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <cstring>
#include <numeric>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A release, and its function for batches of boxes, which it may lack.
struct BoxRelease {
    const char* release;
    const char* function;
};

class CopyBatchBoxTest : public MemoryTest, public ::testing::WithParamInterface<BoxRelease> {
protected:
    CopyBatchBoxTest() : MemoryTest({.devices = 2, .memory = std::size_t{1} << 30, .release = GetParam().release}) {
        std::iota(values.begin(), values.end(), 0);
    }

    template <class Source>
    std::vector<int> read(const Source& source, std::size_t count) {
        std::vector<int> read(count, -1);
        copy(stream, read, source);
        stream.synchronize();
        return read;
    }

    /// Returns how many calls the operation made of the function that submits boxes together, and of others.
    std::pair<std::uint64_t, std::uint64_t> calls_of(const std::function<void()>& operation) {
        layers::faults::start();
        operation();
        const auto together = GetParam().function != nullptr ? layers::faults::calls(GetParam().function) : 0;
        const auto alone = layers::faults::calls("cuMemcpy2DAsync_v2") + layers::faults::calls("cuMemcpy3DAsync_v2") +
                           layers::faults::calls("cuMemcpy3DPeerAsync");
        layers::faults::stop();
        return {together, alone};
    }
    std::pair<std::uint64_t, std::uint64_t> together(std::uint64_t count) const {
        return GetParam().function != nullptr ? std::pair<std::uint64_t, std::uint64_t>{1, 0}
                                              : std::pair<std::uint64_t, std::uint64_t>{0, count};
    }

    ArrayFormat ints = ArrayFormat::of<int>();
    std::vector<int> values = std::vector<int>(24);
};

INSTANTIATE_TEST_SUITE_P(AllReleases, CopyBatchBoxTest,
                         ::testing::Values(BoxRelease{"13.4", "cuMemcpy3DBatchAsync_v2"},
                                           BoxRelease{"12.8", "cuMemcpy3DBatchAsync"}, BoxRelease{"12.6", nullptr}),
                         [](const auto& each) {
                             std::string name = each.param.release;
                             name[name.find('.')] = '_';
                             return "Cuda" + name;
                         });

TEST_P(CopyBatchBoxTest, CopiesArraysRowsAndMemory) {
    Array image(device, {.format = ints, .width = 4, .height = 3});
    Array volume(device, {.format = ints, .width = 2, .height = 3, .depth = 4});
    PitchedBuffer<int> rows = device.allocate_pitched<int>(stream, {.width = 3, .height = 2, .depth = 2});
    Buffer buffer = device.allocate(stream, 16);
    const std::vector<int> twelve(values.begin(), values.begin() + 12), four{90, 91, 92, 93};
    const PitchedSpan<const int> tile(&values[1], {3, 2, 2}, 4 * sizeof(int), 3);
    const auto calls = calls_of([&] { copy_batch(stream, {{image, twelve}, {volume, values}, {rows, tile}, {buffer, four}}); });
    EXPECT_EQ(calls, together(3));
    EXPECT_EQ(read(image, 12), twelve);
    EXPECT_EQ(read(volume, 24), values);
    EXPECT_THAT(read(rows, 12), ElementsAre(1, 2, 3, 5, 6, 7, 13, 14, 15, 17, 18, 19));
    EXPECT_EQ(read(buffer, 4), four);

    std::vector<int> results(8, -1);
    copy_batch(stream, {{std::span(results).first(4), image.region({.x = 2, .y = 1}, {.width = 2, .height = 2})},
                        {std::span(results).last(4), volume.region({.y = 1, .z = 2}, {.width = 2, .height = 1, .depth = 2})},
                        {rows.region({.x = 1}, {.width = 2, .height = 2}), image.region({}, {.width = 2, .height = 2})}});
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(6, 7, 10, 11, 14, 15, 20, 21));
    EXPECT_THAT(read(rows.region({}, {.width = 3, .height = 2}), 6), ElementsAre(1, 0, 1, 5, 4, 5));
}

TEST_P(CopyBatchBoxTest, AppliesTheOptionsOfEachPiece) {
    PitchedBuffer<int> first = device.allocate_pitched<int>(stream, {.width = 4, .height = 3});
    PitchedBuffer<int> second = device.allocate_pitched<int>(stream, {.width = 4, .height = 3});
    std::vector<int> local(values.begin(), values.begin() + 12);
    const std::vector<int> other(12, 7);
    copy_batch(stream, {{first, local, {.source_access_order = SourceAccessOrder::during_api_call}},
                        {second, other, {.destination_location_hint = MemoryLocation(device)}}});
    std::fill(local.begin(), local.end(), -1);
    EXPECT_THAT(read(first, 12), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_EQ(read(second, 12), other);
    expect_misuse(
        [&] {
            copy_batch(stream, {{first, other, {.source_access_order = static_cast<SourceAccessOrder>(9)}}});
        },
        "SourceAccessOrder", "9");
}

TEST_P(CopyBatchBoxTest, ComparesRowsAndPartsExactly) {
    PitchedBuffer<int> rows = device.allocate_pitched<int>(stream, {.width = 4, .height = 4, .depth = 2});
    Array image(device, {.format = ints, .width = 4, .height = 4});
    const std::vector<int> eight(values.begin(), values.begin() + 8), one{5};
    const auto left = rows.region({}, {.width = 2, .height = 4});
    const auto right = rows.region({.x = 2}, {.width = 2, .height = 4});
    copy_batch(stream, {{left, eight}, {right, eight}});  // the rows alternate
    EXPECT_THAT(read(rows.region({.y = 3}, {.width = 4}), 4), ElementsAre(6, 7, 6, 7));
    copy_batch(stream, {{image.region({}, {.width = 2, .height = 4}), eight},
                        {image.region({.x = 2}, {.width = 2, .height = 4}), eight}});
    EXPECT_THAT(read(image.region({.y = 1}, {.width = 4}), 4), ElementsAre(2, 3, 2, 3));
    expect_misuse(
        [&] {
            copy_batch(stream, {{left, eight}, {rows.region({.x = 1, .y = 3}, {.width = 1}), one}});
        },
        "copy 1 of 2", "4 bytes at 0x", "overlaps the destination of copy 0, rows within");
    expect_misuse(
        [&] {
            copy_batch(stream, {{rows.region({.z = 1}, {.width = 2, .height = 4}), left},
                                {rows.region({.x = 1, .y = 3, .z = 1}, {}), one}});
        },
        "overlaps the destination of copy");
    expect_misuse(
        [&] {
            copy_batch(stream, {{values[0], rows.region({.x = 3, .y = 2}, {})}, {right, eight}});
        },
        "of copy 0", "of copy 1");
    expect_misuse(
        [&] {
            copy_batch(stream, {{image.region({.x = 1, .y = 1}, {.width = 2, .height = 2}),
                                 image.region({.x = 2, .y = 2}, {.width = 2, .height = 2})}});
        },
        "copy 0 of 1", "a part of an array", "no order");
    copy_batch(stream,
               {{left, image.region({}, {.width = 2, .height = 4})}, {right, image.region({}, {.width = 2, .height = 4})}});
    EXPECT_THAT(read(rows.region({}, {.width = 4}), 4), ElementsAre(0, 1, 0, 1)) << "one source";
}

TEST_P(CopyBatchBoxTest, NamesThePieceThatDoesNotFit) {
    Array image(device, {.format = ints, .width = 4, .height = 3});
    const std::vector<int> twelve(12, 3), five(5);
    copy(stream, image, std::span(std::as_const(values)).first(12));
    expect_misuse(
        [&] {
            copy_batch(stream, {{image.region({}, {.width = 4}), std::span(twelve).first(4)}, {image, five}});
        },
        "copy 1 of 2", "20 bytes", "4 x 3 x 1");
    EXPECT_THAT(read(image.region({}, {.width = 4}), 4), ElementsAre(0, 1, 2, 3)) << "no copy was made";
}

TEST_P(CopyBatchBoxTest, NamesThePieceThatTheDriverRejects) {
    Buffer small = device.allocate(stream, 64);
    Array image(device, {.format = ints, .width = 4, .height = 4});
    const PitchedSpan<const int> beyond(small.span<int>().data(), {4, 4}, 64);
    const std::vector<int> one{5};
    Buffer other = device.allocate(stream, 16);
    const std::string message = message_of<Error>([&] { copy_batch(stream, {{other, one}, {image, beyond}}); });
    EXPECT_THAT(message,
                AllOf(HasSubstr("CUDA_ERROR_INVALID_VALUE"), HasSubstr("opy 1 of 2"),
                      HasSubstr("the source with a pitch of 64 bytes"), HasSubstr("device memory of device 0: 64 bytes")));
    stream.synchronize();
}

TEST_P(CopyBatchBoxTest, CopiesAloneWhatABatchCannotHave) {
    Array compressed(device, {.format = {driver::CU_AD_FORMAT_BC1_UNORM, 4}, .width = 8, .height = 4});  // 2 blocks of 8 bytes
    Array image(device, {.format = ints, .width = 2, .height = 2});
    const std::vector<int> four{1, 2, 3, 4};
    std::vector<std::byte> bytes(20);
    std::memcpy(&bytes[0], four.data(), 8);
    std::memcpy(&bytes[10], &four[2], 8);
    const auto unaligned = PitchedSpan<const int>(reinterpret_cast<const int*>(bytes.data()), {2, 2}, 10);
    EXPECT_EQ(calls_of([&] {
                  copy_batch(stream, {{compressed, four}, {image, unaligned}});
              }),
              (std::pair<std::uint64_t, std::uint64_t>{0, 2}));
    EXPECT_EQ(read(compressed, 4), four);
    EXPECT_EQ(read(image, 4), four);
    Array there(Device(1), {.format = ints, .width = 2, .height = 2});
    copy_batch(stream, {{there, image}, {compressed, four}}, {.source_access_order = SourceAccessOrder::during_api_call});
    EXPECT_EQ(read(there, 4), four);
    EXPECT_FALSE(ContextRef::current());
}

TEST_P(CopyBatchBoxTest, RetainsObjectsOfACapture) {
    GraphBuilder builder(device);
    Array results(device, {.format = ints, .width = 4, .height = 3});
    builder.begin_building();
    {
        Array image(device, {.format = ints, .width = 4, .height = 3});
        copy_batch(builder, {{image, std::span(std::as_const(values)).first(12)}});
        copy_batch(builder, {{results, image}});
    }
    Graph graph = builder.end_building().complete();
    graph.launch(stream);
    EXPECT_EQ(read(results, 12), std::vector<int>(values.begin(), values.begin() + 12));
}

TEST_P(CopyBatchBoxTest, IgnoresEmptyBoxes) {
    Array image(device, {.format = ints, .width = 4, .height = 3});
    EXPECT_EQ(calls_of([&] {
                  copy_batch(stream, {{image, image.region({}, {.width = 0})}});
              }),
              (std::pair<std::uint64_t, std::uint64_t>{0, 0}));
}

TEST_P(CopyBatchBoxTest, ReportsAFailureOfEachCall) {
    device.set_current();
    Array image(device, {.format = ints, .width = 4, .height = 6});
    PitchedBuffer<int> rows = device.allocate_pitched<int>(stream, {.width = 4, .height = 6});
    Array there(Device(1), {.format = ints, .width = 4, .height = 6});
    sweep([&] { copy_batch(stream, {{image, values}, {rows, values}, {there, values}}); });
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
