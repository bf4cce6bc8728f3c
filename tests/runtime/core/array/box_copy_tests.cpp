// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies in two and three dimensions.

#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <numeric>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

class BoxCopyTest : public ArraysTest {
protected:
    static std::vector<int> numbers(std::size_t count) {
        std::vector<int> values(count);
        std::iota(values.begin(), values.end(), 0);
        return values;
    }
    template <class Source>
    std::vector<int> read(const Source& source, std::size_t count) {
        std::vector<int> values(count, -1);
        copy(stream, values, source);
        stream.synchronize();
        return values;
    }
    template <class Operation>
    static std::string mistake(Operation operation) {
        return message_of<std::invalid_argument>(operation);
    }

    Stream stream{device};
    ArrayFormat ints = ArrayFormat::of<int>();
};

TEST_F(BoxCopyTest, CopiesArraysOfEachShape) {
    for (const ArrayOptions& options :
         {ArrayOptions{.format = ints, .width = 12}, ArrayOptions{.format = ints, .width = 6, .height = 4},
          ArrayOptions{.format = ints, .width = 3, .height = 4, .depth = 5},
          ArrayOptions{.format = ints, .width = 5, .layers = 3},
          ArrayOptions{.format = ints, .width = 4, .height = 3, .layers = 2},
          ArrayOptions{.format = ints, .width = 4, .height = 4, .cubemap = true},
          ArrayOptions{.format = ints, .width = 2, .height = 2, .layers = 2, .cubemap = true}}) {
        Array array(device, options);
        const std::size_t count = array.size_bytes() / sizeof(int);
        const std::vector<int> values = numbers(count);
        copy(stream, array, values);
        EXPECT_EQ(read(array, count), values);
        Array other(device, options);
        copy(stream, other, array);
        EXPECT_EQ(read(other, count), values);
        TypedBuffer<int> buffer = device.allocate<int>(stream, count);
        copy(stream, buffer, other);
        std::vector<int> results(count);
        copy(stream, results, buffer);
        stream.synchronize();
        EXPECT_EQ(results, values);
    }
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(BoxCopyTest, CopiesPartsOfArrays) {
    Array array(device, {.format = ints, .width = 4, .height = 3});
    const std::vector<int> part{70, 71, 72, 73}, all = numbers(12);
    copy(stream, array, all);
    copy(stream, array.region({.x = 1, .y = 1}, {.width = 2, .height = 2}), part);
    EXPECT_THAT(read(array, 12), ElementsAre(0, 1, 2, 3, 4, 70, 71, 7, 8, 72, 73, 11));
    EXPECT_THAT(read(array.region({.x = 2, .y = 0}, {.width = 2, .height = 3}), 6), ElementsAre(2, 3, 71, 7, 73, 11));
    copy(stream, array, array.region({.y = 2}, {.width = 4}));  // to the beginning
    EXPECT_THAT(read(array.region({}, {.width = 4}), 4), ElementsAre(8, 72, 73, 11));
}

TEST_F(BoxCopyTest, CopiesLayersAndSlices) {
    for (const bool is_layered : {false, true}) {
        ArrayOptions options{.format = ints, .width = 2, .height = 2};
        (is_layered ? options.layers : options.depth) = 3;
        Array array(device, options);
        const std::vector<int> all = numbers(12), layer{50, 51, 52, 53};
        copy(stream, array, all);
        copy(stream, array.layer(1), layer);
        EXPECT_THAT(read(array.layer(1), 4), ElementsAre(50, 51, 52, 53));
        EXPECT_THAT(read(array.region({.x = 1, .z = 1}, {.height = 2, .depth = 2}), 4), ElementsAre(51, 53, 9, 11));
        EXPECT_THAT(read(array, 12), ElementsAre(0, 1, 2, 3, 50, 51, 52, 53, 8, 9, 10, 11));
    }
}

TEST_F(BoxCopyTest, CopiesLevelsOfMipmappedArrays) {
    MipmappedArray array(device, {.format = ints, .width = 4, .height = 4});
    const std::vector<int> four = numbers(4), nine{9};
    copy(stream, array.level(1), four);
    copy(stream, array.level(2), nine);
    EXPECT_THAT(read(array.level(1), 4), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(read(array.level(2), 1), ElementsAre(9));
}

TEST_F(BoxCopyTest, CopiesRowsOfHostImages) {
    const std::vector<int> image = numbers(20);  // 5 x 4
    const PitchedSpan<const int> tile(&image[6], {3, 2}, 5 * sizeof(int));
    Array array(device, {.format = ints, .width = 3, .height = 2});
    copy(stream, array, tile);
    EXPECT_THAT(read(array, 6), ElementsAre(6, 7, 8, 11, 12, 13));
    std::vector<int> target(20, 0);
    const PitchedSpan<int> rows(target.data(), {5, 4});
    copy(stream, rows.region({.x = 2, .y = 2}, {.width = 3, .height = 2}), array);
    stream.synchronize();
    EXPECT_THAT(std::vector<int>(target.begin() + 12, target.end()), ElementsAre(6, 7, 8, 0, 0, 11, 12, 13));
    copy(stream, PitchedSpan<int>(target.data(), {2, 2, 2}, 5 * sizeof(int)),
         PitchedSpan<const int>(image.data(), {2, 2, 2}, 2 * sizeof(int), 4));  // slices of four rows
    stream.synchronize();
    EXPECT_THAT(target, ElementsAre(0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 8, 9, 6, 7, 8, 10, 11, 11, 12, 13));
}

TEST_F(BoxCopyTest, CopiesPitchedBuffers) {
    PitchedBuffer<int> buffer = device.allocate_pitched<int>(stream, {.width = 5, .height = 3, .depth = 2});
    const std::vector<int> values = numbers(30);
    copy(stream, buffer, values);
    EXPECT_EQ(read(buffer, 30), values);
    EXPECT_THAT(read(buffer.region({.x = 3, .y = 1, .z = 1}, {.width = 2, .height = 2}), 4), ElementsAre(23, 24, 28, 29));
    Array array(device, {.format = ints, .width = 5, .height = 3, .depth = 2});
    copy(stream, array, buffer);
    EXPECT_EQ(read(array, 30), values);
    Buffer all = Buffer::view_of(buffer.native_handle(), buffer.pitch() * 6);
    fill(stream, all, 0);
    copy(stream, buffer, array);
    EXPECT_EQ(read(buffer, 30), values);
}

TEST_F(BoxCopyTest, CopiesBlocksOfCompressedFormats) {
    Array array(device, {.format = {driver::CU_AD_FORMAT_BC1_UNORM, 4}, .width = 10, .height = 6});  // 3 x 2 blocks of 8 bytes
    const std::vector<int> values = numbers(12);
    copy(stream, array, values);
    EXPECT_EQ(read(array, 12), values);
    EXPECT_THAT(read(array.region({.x = 8, .y = 4}, {.width = 2, .height = 2}), 2), ElementsAre(10, 11));
    EXPECT_THAT(mistake([&] { (void)read(array.region({.x = 2}, {.width = 4, .height = 4}), 2); }),
                AllOf(HasSubstr("(2, 0)"), HasSubstr("multiples of 4")));
    const std::vector<long long> blocks(6);
    EXPECT_THAT(mistake([&] { copy(stream, array, PitchedSpan<const long long>(blocks.data(), {3, 2})); }), HasSubstr("4 x 4"));
}

TEST_F(BoxCopyTest, CopiesBetweenDevices) {
    const Stream on_other(Device(1));
    for (const std::size_t layers : {std::size_t{0}, std::size_t{2}}) {
        const ArrayOptions options{.format = ints, .width = 4, .height = 2, .layers = layers};
        Array here(device, options);
        Array there(Device(1), options);
        const std::size_t count = here.size_bytes() / sizeof(int);
        const std::vector<int> values = numbers(count);
        copy(stream, here, values);
        layers::faults::start();
        copy(stream, there, here);
        EXPECT_EQ(layers::faults::calls("cuMemcpy3DPeerAsync"), 1u);
        layers::faults::stop();
        stream.synchronize();
        EXPECT_EQ(read(there, count), values);
        std::vector<int> results(count);
        copy(on_other, results, there);
        on_other.synchronize();
        EXPECT_EQ(results, values);
    }
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(BoxCopyTest, IgnoresEmptyBoxes) {
    Array array(device, {.format = ints, .width = 4, .height = 4});
    layers::faults::start();
    copy(stream, array.region({}, {.width = 0}), std::span<const int>());
    copy(stream, array, array.region({}, {.height = 0}));
    EXPECT_EQ(layers::faults::calls("cuMemcpy2DAsync"), 0u);
    layers::faults::stop();
}

// ---- captures ------------------------------------------------------------------------------------------------------------

TEST_F(BoxCopyTest, IsCapturedAndRetainsArraysAndBuffers) {
    std::vector<int> results(16);
    Graph graph;
    const std::vector<int> values = numbers(16);
    {
        Array array(device, {.format = ints, .width = 4, .height = 4});
        MipmappedArray mipmapped(device, {.format = ints, .width = 4, .height = 4});
        PitchedBuffer<int> buffer = device.allocate_pitched<int>(stream, {.width = 4, .height = 4});
        stream.synchronize();
        GraphBuilder builder(device);
        builder.begin_building();
        copy(builder, array, values);
        copy(builder, mipmapped.level(0), array);
        copy(builder, buffer, mipmapped.level(0));
        copy(builder, results, buffer);
        graph = builder.end_building().complete();
    }
    for (int i = 0; i < 2; ++i) {
        results.assign(16, 0);
        graph.launch(stream);
        stream.synchronize();
        EXPECT_EQ(results, values);
    }
}

// ---- mistakes ------------------------------------------------------------------------------------------------------------

TEST_F(BoxCopyTest, RejectsPartsThatAreNotWithinTheArray) {
    Array array(device, {.format = ints, .width = 4, .height = 3});
    const std::vector<int> four(4);
    for (const ArrayRegion& part :
         {array.region({.x = 3}, {.width = 2, .height = 2}), array.region({.y = 2}, {.width = 2, .height = 2}),
          array.region({.z = 1}, {.width = 2, .height = 2}), array.region({.x = ~std::size_t{0}}, {.width = 4})}) {
        EXPECT_THAT(mistake([&] { copy(stream, part, four); }), AllOf(HasSubstr("4 x 3 x 1"), HasSubstr("is not within")));
    }
    EXPECT_THAT(mistake([&] { copy(stream, array.region({.x = 3}, {.width = 2, .height = 2}), four); }), HasSubstr("(3, 0, 0)"));
}

TEST_F(BoxCopyTest, RejectsSizesThatDoNotFit) {
    Array array(device, {.format = ints, .width = 4, .height = 3});
    std::vector<int> eleven(11), thirteen(13);
    EXPECT_THAT(mistake([&] { copy(stream, array, eleven); }),
                AllOf(HasSubstr("44 bytes"), HasSubstr("4 x 3 x 1"), HasSubstr("48 bytes")));
    EXPECT_THAT(mistake([&] { copy(stream, array, thirteen); }), HasSubstr("52 bytes"));
    EXPECT_THAT(mistake([&] { copy(stream, eleven, array); }),
                AllOf(HasSubstr("48 bytes"), HasSubstr("destination of 44 bytes")));
    copy(stream, thirteen, array);
    Array small(device, {.format = ints, .width = 4, .height = 2});
    EXPECT_THAT(mistake([&] { copy(stream, small, array); }),
                AllOf(HasSubstr("4 x 3 x 1"), HasSubstr("4 x 2 x 1"), HasSubstr("region()")));
    Array shorts(device, {.format = ArrayFormat::of<short>(), .width = 4, .height = 3});
    EXPECT_THAT(mistake([&] { copy(stream, shorts, array); }), AllOf(HasSubstr("4 bytes"), HasSubstr("2 bytes")));
    stream.synchronize();
}

TEST_F(BoxCopyTest, RejectsSizesThatExceedTheAddressSpace) {
    std::vector<int> values(4);
    for (const Extent3D& extent : {Extent3D{(std::size_t{1} << 62) + 1, 1, 1}, Extent3D{2, std::size_t{1} << 62, 1},
                                   Extent3D{2, std::size_t{1} << 31, std::size_t{1} << 31}}) {
        const PitchedSpan<int> huge(values.data(), extent, 8);
        EXPECT_THAT(mistake([&] { copy(stream, huge, huge); }), HasSubstr(std::to_string(extent.width) + " x "));
    }
}

TEST_F(BoxCopyTest, RejectsOverlappingRowsAndSlices) {
    Array array(device, {.format = ints, .width = 4, .height = 3, .depth = 2});
    std::vector<int> values(24);
    EXPECT_THAT(mistake([&] {
                    copy(stream, array, PitchedSpan<int>(values.data(), {4, 3, 2}, 12));
                }),
                AllOf(HasSubstr("16 bytes"), HasSubstr("pitch of 12 bytes")));
    EXPECT_THAT(mistake([&] {
                    copy(stream, array, PitchedSpan<int>(values.data(), {4, 3, 2}, 16, 2));
                }),
                AllOf(HasSubstr("3 rows"), HasSubstr("2 rows per slice")));
}

TEST_F(BoxCopyTest, RejectsEmptyArraysAndStreams) {
    Array array;
    std::vector<int> values(4);
    EXPECT_THROW(copy(stream, array, values), std::invalid_argument);
    EXPECT_THROW(copy(stream, values, ArrayRef(driver::CUarray())), std::invalid_argument);
    Array open(device, {.format = ints, .width = 4});
    const Stream moved = std::move(stream);
    EXPECT_THROW(copy(stream, open, values), std::invalid_argument);
}

TEST_F(BoxCopyTest, DescribesWhatTheDriverRejects) {
    Array array(device, {.format = ints, .width = 4, .height = 3});
    Buffer buffer = device.allocate(stream, 64);
    const PitchedSpan<int> beyond(buffer.span<int>().data(), {4, 3}, 64);
    EXPECT_THAT(message_of<Error>([&] { copy(stream, array, beyond); }),
                AllOf(HasSubstr("cuMemcpy2DAsync"), HasSubstr("the destination is an array of 4 x 3"),
                      HasSubstr("the source with a pitch of 64 bytes"), HasSubstr("144 bytes at")));
    Array volume(device, {.format = ints, .width = 4, .height = 3, .depth = 2});
    const PitchedSpan<int> beyond_slices(buffer.span<int>().data(), {4, 3, 2}, 16);
    EXPECT_THAT(message_of<Error>([&] { copy(stream, volume, beyond_slices); }),
                AllOf(HasSubstr("cuMemcpy3DAsync"), HasSubstr("4 x 3 x 2")));
    const std::vector<int> values(12);
    EXPECT_THAT(message_of<Error>([&] { copy(device.default_stream(), array, values); }), HasSubstr("Device::set_current()"));
}

// ---- failures ------------------------------------------------------------------------------------------------------------

TEST_F(BoxCopyTest, SweepReportsEachFailure) {
    device.set_current();
    Array array(device, {.format = ints, .width = 4, .height = 4, .layers = 2});
    Array there(Device(1), array.options());
    const std::vector<int> values = numbers(32);
    const std::span<const int> half = std::span(values).first(16);
    sweep([&] { copy(stream, array.layer(0), half); });
    sweep([&] { copy(stream, array, values); });
    sweep([&] { copy(stream, there, array); });
    sweep([&] { (void)device.allocate_pitched<int>(stream, {.width = 4, .height = 4}); }, {"cuCtxGetCurrent"});
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
