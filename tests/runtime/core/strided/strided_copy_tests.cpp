// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies between views.

#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>

#include <cstdint>
#include <limits>

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

class StridedCopyTest : public StridedTest {
protected:
    /// Copies the view to a device, into an array of the same shape and strides, and back to a contiguous array.
    std::vector<int> round_trip(const StridedView& view) {
        std::vector<int> results(view.size(), -1);
        TypedBuffer<int> buffer = device.allocate<int>(stream, 64);
        const StridedView on_device(buffer, view.shape(), view.strides());
        copy(stream, on_device, view);
        copy(stream, host_view(results, view.shape()), on_device);
        stream.synchronize();
        return results;
    }

    Stream stream{device};
};

TEST_F(StridedCopyTest, CopiesRowsAndPlanes) {
    std::vector<int> values = numbers(64);
    for (const auto& [shape, strides] : std::vector<std::pair<Dimensions, Dimensions>>{{{4, 4}, {}},
                                                                                       {{4, 3}, {8, 1}},
                                                                                       {{3, 3, 2}, {16, 4, 1}},
                                                                                       {{2, 3, 4, 2}, {24, 8, 2, 1}},
                                                                                       {{2, 3, 2, 2}, {24, 8, 2, 1}},
                                                                                       {{8}, {3}},
                                                                                       {{4, 5}, {12, 2}},
                                                                                       {{3, 1, 4}, {8, 50, 2}},
                                                                                       {{}, {}},
                                                                                       {{1, 1}, {5, 5}}}) {
        const StridedView view = host_view(values, shape, strides);
        EXPECT_EQ(round_trip(view), elements_of(view)) << to_string(shape) << to_string(view.strides());
    }
}

TEST_F(StridedCopyTest, IgnoresTheStridesOfOneElement) {
    std::vector<int> values = numbers(3), results(3, -1);
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();  // in bytes, it exceeds 64 bits
    copy(stream, host_view(results, {1, 3}, {any, 1}), host_view(values, {1, 3}, {-any, 1}));
    stream.synchronize();
    EXPECT_EQ(results, values);
}

TEST_F(StridedCopyTest, KeepsOtherElementsOfTheDestination) {
    std::vector<int> values = numbers(4), target(12, -1);
    TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
    copy(stream, buffer, values);
    copy(stream, host_view(target, {3, 4}).slice(0, 0, 2).slice(1, 1, 3), StridedView(buffer, {2, 2}));
    stream.synchronize();
    EXPECT_THAT(target, ElementsAre(-1, 0, 1, -1, -1, 2, 3, -1, -1, -1, -1, -1));
}

TEST_F(StridedCopyTest, CopiesMatricesOfTheSameOrder) {
    std::vector<int> values = numbers(6), results(6);
    TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    const StridedView on_device(buffer, {3, 2});
    copy(stream, on_device.transpose(), host_view(values, {2, 3}, {1, 2}));  // both are column-major
    copy(stream, host_view(results, {6}).reverse(0), on_device.reshape({6}).reverse(0));
    stream.synchronize();
    EXPECT_EQ(results, values);
}

TEST_F(StridedCopyTest, CopiesNothingOfAnEmptyView) {
    std::vector<int> values = numbers(6);
    EXPECT_EQ(round_trip(host_view(values, {0, 3})), std::vector<int>());
}

TEST_F(StridedCopyTest, CopiesBetweenDevices) {
    const Stream on_other(Device(1));
    std::vector<int> values = numbers(24), results(6, -1);
    const DeviceMemoryResource pool(device);
    pool.allow_peer_access(Device(1));
    TypedBuffer<int> here = pool.allocate<int>(stream, 24);
    const TypedBuffer<int> there = Device(1).allocate<int>(on_other, 24);
    copy(stream, here, values);
    stream.synchronize();
    const StridedView part = StridedView(there, {4, 6}).slice(0, 0, 2).slice(1, 2, 5);
    copy(on_other, part, StridedView(here, {4, 6}).slice(0, 1, 3).slice(1, 0, 3));
    copy(on_other, host_view(results, {2, 3}), part);
    on_other.synchronize();
    EXPECT_THAT(results, ElementsAre(6, 7, 8, 12, 13, 14));
}

TEST_F(StridedCopyTest, RejectsViewsThatDiffer) {
    std::vector<int> values = numbers(64), target(64);
    const auto message = [&](const StridedView& to, const StridedView& from) { return mistake([&] { copy(stream, to, from); }); };
    const StridedView matrix = host_view(values, {2, 3});
    EXPECT_THAT(message(host_view(target, {3, 2}), matrix), AllOf(HasSubstr("(2, 3)"), HasSubstr("(3, 2)")));
    EXPECT_THAT(message(host_view(target, {2, 3}).as_readonly(), matrix), HasSubstr("read-only"));
    const StridedView floats({.data = target.data(), .dtype = data_type<float>, .shape = {2, 3}});
    EXPECT_THAT(message(floats, matrix), AllOf(HasSubstr("int32"), HasSubstr("float32")));
}

TEST_F(StridedCopyTest, IsCapturedAndRetainsTheOwners) {
    std::vector<int> values = numbers(12), results(4, -1);
    Graph graph;
    auto owner = std::make_shared<int>(0);
    {
        TypedBuffer<int> buffer = device.allocate<int>(stream, 12);
        stream.synchronize();
        GraphBuilder builder(device);
        builder.begin_building();
        const StridedView on_device(buffer, {3, 4});
        copy(builder, on_device, host_view(values, {3, 4}));
        const StridedView target({.data = results.data(), .dtype = data_type<int>, .shape = {2, 2}, .owner = owner});
        copy(builder, target, on_device.slice(0, 1, 3).slice(1, 0, 2));
        builder.end_building();
        graph = builder.complete();
    }
    EXPECT_GT(owner.use_count(), 1);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(4, 5, 8, 9));
}

TEST_F(StridedCopyTest, ReportsEveryFailedCall) {
    TypedBuffer<int> buffer = device.allocate<int>(stream, 64);
    std::vector<int> values = numbers(64);
    sweep([&] {
        copy(stream, StridedView(buffer, {64}), host_view(values, {64}));
        copy(stream, StridedView(buffer, {4, 4}, {8, 1}), host_view(values, {4, 4}));
        copy(stream, StridedView(buffer, {2, 3, 4}, {24, 6, 1}), host_view(values, {2, 3, 4}));
        stream.synchronize();
    });
}

}  // namespace
}  // namespace cubind::testing
