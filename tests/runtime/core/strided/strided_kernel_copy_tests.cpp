// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies between views whose strides no call of the driver copies.

#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <array>
#include <cstdint>
#include <memory>

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

template <std::size_t Size>
struct Blob {
    std::array<std::uint8_t, Size> bytes;

    friend bool operator==(const Blob&, const Blob&) = default;
};

class StridedKernelCopyTest : public StridedTest {
protected:
    /// Fills a buffer of the device with distinct bytes, copies `view_of_source` of it to `view_of_destination` of another
    /// buffer, and compares each element.
    template <std::size_t Size, class ViewOfSource, class ViewOfDestination>
    void expect_copy(std::size_t count, ViewOfSource view_of_source, ViewOfDestination view_of_destination) {
        std::vector<Blob<Size>> values(count), results(count);
        std::uint32_t state = 1;
        for (Blob<Size>& value : values) {
            for (std::uint8_t& byte : value.bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
        }
        TypedBuffer<Blob<Size>> from = device.allocate<Blob<Size>>(stream, count),
                                to = device.allocate<Blob<Size>>(stream, count);
        copy(stream, from, values);
        copy(stream, to, results);
        const DataType type{DataTypeKind::opaque_handle, 8, static_cast<std::uint16_t>(Size)};
        const StridedView source = view_of_source(from.bytes(), type), destination = view_of_destination(to.bytes(), type);
        copy(stream, destination, source);
        copy(stream, results, to);
        stream.synchronize();

        std::vector<Blob<Size>> expected(count, Blob<Size>{});
        const auto host = [&](std::vector<Blob<Size>>& array, const StridedView& view, std::uintptr_t device_address) {
            const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(view.data()) - device_address);
            return StridedView({.data = reinterpret_cast<std::byte*>(array.data()) + offset,
                                .dtype = type,
                                .shape = view.shape(),
                                .strides = view.strides()});
        };
        assign<Size>(host(expected, destination, to.native_handle()), host(values, source, from.native_handle()));
        EXPECT_TRUE(results == expected) << Size << " bytes, " << to_string(source.shape()) << to_string(source.strides())
                                         << " to " << to_string(destination.strides());
    }

    /// Makes the same copy for elements of 1, 2, 4, 8 and 16 bytes.
    template <class ViewOfSource, class ViewOfDestination>
    void expect_copies(std::size_t count, ViewOfSource view_of_source, ViewOfDestination view_of_destination) {
        expect_copy<1>(count, view_of_source, view_of_destination);
        expect_copy<2>(count, view_of_source, view_of_destination);
        expect_copy<4>(count, view_of_source, view_of_destination);
        expect_copy<8>(count, view_of_source, view_of_destination);
        expect_copy<16>(count, view_of_source, view_of_destination);
    }

    Stream stream{device};

private:
    template <std::size_t Size>
    static void assign(const StridedView& to, const StridedView& from) {
        if (to.rank() == 0) {
            *static_cast<Blob<Size>*>(to.data()) = *static_cast<const Blob<Size>*>(from.data());
            return;
        }
        for (std::int64_t i = 0; i < to.shape()[0]; ++i) assign<Size>(to.select(0, i), from.select(0, i));
    }
};

/// A view of a whole buffer in row-major order.
auto array_of(Dimensions shape) {
    return [shape](const Buffer& buffer, DataType type) { return StridedView(buffer, type, shape); };
}

TEST_F(StridedKernelCopyTest, TransposesMatrices) {
    const auto transposed = [](const Buffer& buffer, DataType type) { return StridedView(buffer, type, {75, 66}).transpose(); };
    expect_copies(66 * 75, transposed, array_of({66, 75}));
    expect_copies(66 * 75, array_of({66, 75}), transposed);
    expect_copies(
        15,
        [](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, {5, 3}).transpose();
        },
        array_of({3, 5}));
}

TEST_F(StridedKernelCopyTest, PermutesDimensions) {
    for (const Dimensions& order : {Dimensions{2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}}) {
        const Dimensions shape{34, 9, 40};
        const Dimensions permuted{shape[std::size_t(order[0])], shape[std::size_t(order[1])], shape[std::size_t(order[2])]};
        const auto source = [&](const Buffer& buffer, DataType type) { return StridedView(buffer, type, shape).permute(order); };
        expect_copy<4>(34 * 9 * 40, source, array_of(permuted));
        expect_copy<16>(34 * 9 * 40, array_of(permuted), source);
    }
    const Dimensions hypercube{3, 2, 4, 3, 2, 3, 2, 4};
    expect_copy<2>(
        3456,
        [&](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, hypercube).permute({7, 2, 5, 0, 3, 6, 1, 4});
        },
        array_of({4, 4, 3, 3, 3, 2, 2, 2}));
}

TEST_F(StridedKernelCopyTest, ReversesRepeatsAndSkips) {
    const auto reversed = [](const Buffer& buffer, DataType type) { return StridedView(buffer, type, {40, 50}).reverse(1); };
    expect_copies(2000, reversed, array_of({40, 50}));
    expect_copies(2000, array_of({40, 50}), reversed);
    expect_copies(
        2000,
        [](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, {50}).broadcast_to({40, 50});
        },
        array_of({40, 50}));
    expect_copies(
        2000,
        [](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, {40, 50}).slice(0, 0, 40, 3).slice(1, 1, 50, 4);
        },
        [](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, {50, 40}).slice(0, 7, 21).slice(1, 2, 15);
        });
}

// Rows of 12 and of 7 bytes consist of words of 4 bytes and of 1 byte.
TEST_F(StridedKernelCopyTest, CopiesRunsOfOtherSizes) {
    const auto transposed = [](const Buffer& buffer, DataType type) { return StridedView(buffer, type, {40, 50}).transpose(); };
    expect_copy<12>(2000, transposed, array_of({50, 40}));
    expect_copy<7>(2000, transposed, array_of({50, 40}));
    expect_copy<4>(
        2001,
        [](const Buffer& buffer, DataType type) {
            return StridedView(buffer, type, {3, 23, 29}).permute({2, 0, 1});
        },
        array_of({29, 3, 23}));
}

TEST_F(StridedKernelCopyTest, UsesPinnedMemory) {
    const Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, 6 * sizeof(int));
    const auto values = pinned.span<int>();
    std::iota(values.begin(), values.end(), 0);
    TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    copy(stream, StridedView(buffer, {3, 2}), StridedView(pinned, data_type<int>, {2, 3}).transpose());
    std::vector<int> results(6);
    copy(stream, results, buffer);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_F(StridedKernelCopyTest, WorksWithANewDriver) {
    const auto transpose = [this] {
        expect_copy<4>(
            6,
            [](const Buffer& buffer, DataType type) {
                return StridedView(buffer, type, {2, 3}).transpose();
            },
            array_of({3, 2}));
    };
    transpose();
    stream = Stream();
    sim::install({.devices = 2});
    device = Device(0);
    stream = Stream(device);
    transpose();
}

TEST_F(StridedKernelCopyTest, IsCapturedAndRetainsTheOwners) {
    auto owner = std::make_shared<int>(0);
    TypedBuffer<int> from = device.allocate<int>(stream, 6), to = device.allocate<int>(stream, 6);
    std::vector<int> values = numbers(6), results(6, -1);
    copy(stream, from, values);
    stream.synchronize();
    Graph graph;
    {
        GraphBuilder builder(device);
        builder.begin_building();
        const auto source = StridedView::view_of(reinterpret_cast<const int*>(from.native_handle()), {2, 3}, {}, owner);
        copy(builder, StridedView(to, {3, 2}), source.transpose());
        builder.end_building();
        graph = builder.complete();
    }
    EXPECT_GT(owner.use_count(), 1);
    graph.launch(stream);
    copy(stream, results, to);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST_F(StridedKernelCopyTest, RejectsDestinationsThatRepeatElements) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 64);
    const StridedView repeated(buffer, {4, 5}, {0, 2});
    EXPECT_THAT(mistake([&] { copy(stream, repeated, StridedView(buffer, {4, 5})); }), HasSubstr("(0, 2)"));
}

TEST_F(StridedKernelCopyTest, ReportsEveryFailedCall) {
    TypedBuffer<int> from = device.allocate<int>(stream, 64), to = device.allocate<int>(stream, 64);
    sweep([&] {
        copy(stream, StridedView(to, {8, 8}), StridedView(from, {8, 8}).transpose());
        stream.synchronize();
    });
}

}  // namespace
}  // namespace cubind::testing
