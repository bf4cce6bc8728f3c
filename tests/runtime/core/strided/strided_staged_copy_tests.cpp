// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies between views whose strides no call of the driver copies, and whose memory no single kernel can access.

#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/layers/layer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "gate.hpp"
#include "strided_test.hpp"

namespace cubind::testing {
namespace {

enum class Place { pageable, pinned, managed, device, other_device };

constexpr std::array places{Place::pageable, Place::pinned, Place::managed, Place::device, Place::other_device};

const char* name_of(Place place) {
    constexpr std::array names{"pageable", "pinned", "managed", "device", "other device"};
    return names[static_cast<std::size_t>(place)];
}

/// Numbers in memory of one kind.
class Array {
public:
    static constexpr std::size_t count = 120;

    explicit Array(Place place) : place_(place) {
        if (place == Place::pageable) return;
        const Stream stream(device_of(place));
        const std::size_t size = count * sizeof(int);
        buffer_ = place == Place::pinned    ? LegacyPinnedMemoryResource().allocate(stream, size)
                  : place == Place::managed ? ManagedMemoryResource().allocate(stream, size)
                                            : device_of(place).allocate(stream, size);
        stream.synchronize();
    }

    StridedView view(const Dimensions& shape, const Dimensions& strides = {}) {
        if (place_ != Place::pageable) return StridedView(buffer_, data_type<int>, shape, strides);
        return StridedView({.data = values_.data(), .dtype = data_type<int>, .shape = shape, .strides = strides});
    }
    void write(const std::vector<int>& values) {
        values_ = values;
        if (place_ == Place::pageable) return;
        const Stream stream(device_of(place_));
        copy(stream, buffer_, values_);
        stream.synchronize();
    }
    std::vector<int> read() {
        if (place_ == Place::pageable) return values_;
        const Stream stream(device_of(place_));
        copy(stream, values_, buffer_);
        stream.synchronize();
        return values_;
    }

private:
    static Device device_of(Place place) { return Device(place == Place::other_device ? 1 : 0); }

    Place place_;
    std::vector<int> values_ = std::vector<int>(count);
    Buffer buffer_;
};

class StridedStagedCopyTest : public StridedTest {
protected:
    /// Copies between views of all kinds of memory and compares all numbers with those of a copy within the host.
    /// `view_of_source` and `view_of_destination` return a view of an array.
    template <class ViewOfSource, class ViewOfDestination>
    void expect_copies(ViewOfSource view_of_source, ViewOfDestination view_of_destination) {
        for (const Place from : places) {
            for (const Place to : places) {
                Array source(from), destination(to), expected(Place::pageable), original(Place::pageable);
                source.write(numbers(Array::count));
                original.write(numbers(Array::count));
                destination.write(std::vector<int>(Array::count, -1));
                expected.write(std::vector<int>(Array::count, -1));
                copy(stream, view_of_destination(destination), view_of_source(source));
                stream.synchronize();
                assign(view_of_destination(expected), view_of_source(original));
                EXPECT_EQ(destination.read(), expected.read()) << name_of(from) << " to " << name_of(to);
                EXPECT_FALSE(ContextRef::current());
            }
        }
    }

    /// Waits by a call that does not fail in a sweep.
    void wait_unobserved() const {
        const layers::Unobserved own_call;
        EXPECT_EQ(driver::cuStreamSynchronize(stream.native_handle()).status, driver::CUDA_SUCCESS);
    }

    Stream stream{device};

private:
    static void assign(const StridedView& to, const StridedView& from) {
        if (to.rank() == 0) {
            *static_cast<int*>(to.data()) = *static_cast<const int*>(from.data());
            return;
        }
        for (std::int64_t i = 0; i < to.shape()[0]; ++i) assign(to.select(0, i), from.select(0, i));
    }
};

TEST_F(StridedStagedCopyTest, CopiesFromStrides) {
    expect_copies(
        [](Array& array) {
            return array.view({10, 12}).transpose();
        },
        [](Array& array) {
            return array.view({12, 10});
        });
    expect_copies([](Array& array) { return array.view({120}).reverse(0); }, [](Array& array) { return array.view({120}); });
    expect_copies(
        [](Array& array) {
            return array.view({12}).broadcast_to({10, 12});
        },
        [](Array& array) {
            return array.view({10, 12}).slice(1, 0, 12);
        });
}

TEST_F(StridedStagedCopyTest, CopiesToStrides) {
    expect_copies(
        [](Array& array) {
            return array.view({10, 12});
        },
        [](Array& array) {
            return array.view({12, 10}).transpose();
        });
    expect_copies([](Array& array) { return array.view({60}); },
                  [](Array& array) { return array.view({120}).slice(0, 0, 120, 2).reverse(0); });
}

TEST_F(StridedStagedCopyTest, CopiesBetweenStrides) {
    expect_copies(
        [](Array& array) {
            return array.view({2, 3, 4, 5}).permute({3, 1, 0, 2});
        },
        [](Array& array) {
            return array.view({3, 4, 2, 5}).permute({3, 0, 2, 1});
        });
    expect_copies(
        [](Array& array) {
            return array.view({10, 12}).slice(0, 1, 10, 3).slice(1, 0, 12, 5);
        },
        [](Array& array) {
            return array.view({12, 10}).slice(0, 0, 12, 5).slice(1, 2, 8, 2).transpose();
        });
}

TEST_F(StridedStagedCopyTest, CopiesElementsOfAllSizes) {
    std::vector<std::uint8_t> values(3 * 5 * 16), results(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * 7 + 1);
    for (const std::uint16_t size : std::initializer_list<std::uint16_t>{1, 2, 3, 4, 8, 12, 16}) {
        const DataType type{DataTypeKind::opaque_handle, 8, size};
        const StridedView from({.data = values.data(), .dtype = type, .shape = {3, 5}});
        const StridedView to({.data = results.data(), .dtype = type, .shape = {5, 3}});
        copy(stream, to, from.transpose());
        stream.synchronize();
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 5; ++column) {
                EXPECT_TRUE(std::equal(values.begin() + static_cast<std::ptrdiff_t>((row * 5 + column) * size),
                                       values.begin() + static_cast<std::ptrdiff_t>((row * 5 + column + 1) * size),
                                       results.begin() + static_cast<std::ptrdiff_t>((column * 3 + row) * size)))
                    << size << " bytes, " << row << ", " << column;
            }
        }
    }
}

TEST_F(StridedStagedCopyTest, CopiesPageableMemoryInTheOrderOfTheStream) {
    std::vector<int> values(6, -1), results(6, -1);
    TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    Gate gate;
    stream.launch_host_function(gate.blocker());
    stream.launch_host_function([&] { values = {0, 1, 2, 3, 4, 5}; });
    copy(stream, StridedView(buffer, {3, 2}), host_view(values, {2, 3}).transpose());
    stream.launch_host_function([&] { std::fill(values.begin(), values.end(), 9); });
    copy(stream, host_view(results, {2, 3}).reverse(1), StridedView(buffer, {2, 3}));
    std::vector<int> seen;
    stream.launch_host_function([&] { seen = results; });
    EXPECT_FALSE(stream.is_done()) << "copy() does not wait";
    EXPECT_THAT(results, ::testing::Each(-1));
    gate.open();
    stream.synchronize();
    EXPECT_THAT(seen, ElementsAre(1, 3, 0, 5, 2, 4));
}

TEST_F(StridedStagedCopyTest, CopiesMemoryOfOtherDevicesInTheOrderOfTheStream) {
    Array here(Place::device), there(Place::other_device);
    there.write(numbers(Array::count));
    here.write(std::vector<int>(Array::count, -1));
    std::vector<int> values(Array::count, 5), results(Array::count);
    Gate gate;
    stream.launch_host_function(gate.blocker());
    copy(stream, there.view({120}), host_view(values, {120}));                     // before the first step on the other device
    copy(stream, here.view({12, 10}), there.view({10, 12}).transpose());           // reads 5
    copy(stream, there.view({12, 10}).transpose(), here.view({10, 12}));           // writes 5, before the next copy
    copy(stream, host_view(results, {12, 10}), there.view({10, 12}).transpose());  // by a kernel there, to the host
    EXPECT_FALSE(stream.is_done());
    gate.open();
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(5));
    EXPECT_THAT(here.read(), ::testing::Each(5));
}

TEST_F(StridedStagedCopyTest, IsCapturedWithPageableMemory) {
    auto owner = std::make_shared<int>(0);
    std::vector<int> values = numbers(6), results(6, -1);
    Graph graph;
    {
        TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
        stream.synchronize();
        GraphBuilder builder(device);
        builder.begin_building(CaptureMode::global);
        const StridedView source({.data = values.data(), .dtype = data_type<int>, .shape = {2, 3}, .owner = owner});
        copy(builder, StridedView(buffer, {3, 2}), source.transpose());
        copy(builder, host_view(results, {6}).reverse(0), StridedView(buffer, {6}));
        builder.end_building();
        graph = builder.complete();
    }
    EXPECT_GT(owner.use_count(), 1);
    EXPECT_THAT(results, ::testing::Each(-1));
    graph.launch(stream);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(5, 2, 4, 1, 3, 0));
    std::reverse(values.begin(), values.end());
    graph.launch(stream);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(0, 3, 1, 4, 2, 5));
    graph.close();
    destroy_deferred_objects();
    EXPECT_EQ(owner.use_count(), 1);
}

TEST_F(StridedStagedCopyTest, IsCapturedWithMemoryOfOtherDevices) {
    for (const Place to : {Place::device, Place::other_device, Place::pinned, Place::pageable}) {
        for (const Place from : {Place::device, Place::other_device, Place::pinned, Place::pageable}) {
            if (to != Place::other_device && from != Place::other_device) continue;
            Array target(to), source(from);
            const std::vector<int> written = numbers(120);
            source.write(written);
            target.write(std::vector<int>(120, -1));
            GraphBuilder builder(device);
            builder.begin_building();
            copy(builder, target.view({12, 10}), source.view({10, 12}).transpose());
            builder.end_building();
            const Graph graph = builder.complete();
            EXPECT_THAT(target.read(), ::testing::Each(-1)) << "the capture copies nothing";
            graph.launch(stream);
            stream.synchronize();
            std::vector<int> expected(120);
            for (std::size_t i = 0; i < 120; ++i) expected[i] = written[i % 10 * 12 + i / 10];
            EXPECT_EQ(target.read(), expected) << static_cast<int>(to) << " from " << static_cast<int>(from);
        }
    }
}

TEST_F(StridedStagedCopyTest, OrdersCapturedWorkAroundTheKernelOfAnotherDevice) {
    Array here(Place::device), there(Place::other_device), pinned(Place::pinned);
    here.write(numbers(120));
    GraphBuilder builder(device);
    builder.begin_building();
    copy(builder, pinned.view({12, 10}), here.view({10, 12}).transpose());
    copy(builder, there.view({10, 12}).transpose(), pinned.view({12, 10}));
    copy(builder, here.view({12, 10}), there.view({10, 12}).transpose());
    builder.end_building();
    const auto nodes = builder.graph_definition().nodes();
    ASSERT_EQ(nodes.size(), 4u) << "the last copy has two";
    for (std::size_t i = 1; i < nodes.size(); ++i) EXPECT_EQ(nodes[i].predecessors().size(), 1u);
    builder.complete().launch(stream);
    stream.synchronize();
    EXPECT_EQ(there.read(), numbers(120));
    EXPECT_EQ(here.read(), pinned.read());
}

TEST_F(StridedStagedCopyTest, ReportsEveryFailedCallOfACapture) {
    Array on_host(Place::pageable), here(Place::device), there(Place::other_device), pinned(Place::pinned);
    for (Array* const other : {&on_host, &here, &pinned}) {
        sweep([&] {
            GraphBuilder builder(device);
            builder.begin_building();
            copy(builder, other->view({12, 10}), there.view({10, 12}).transpose());
            copy(builder, there.view({12, 10}), other->view({10, 12}).transpose());
            builder.end_building();
        });
    }
}

TEST_F(StridedStagedCopyTest, RejectsDestinationsThatRepeatElements) {
    std::vector<int> values = numbers(6), results(6, -1);
    EXPECT_THAT(mistake([&] {
                    copy(stream, host_view(results, {2, 3}, {0, 2}), host_view(values, {2, 3}));
                }),
                HasSubstr("(0, 2)"));
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(-1));
}

TEST_F(StridedStagedCopyTest, ReportsEveryFailedCall) {
    Array on_host(Place::pageable), here(Place::device), there(Place::other_device), pinned(Place::pinned);
    const auto sweep_copy = [&](Array& to, Array& from, const Dimensions& permuted) {
        const auto destination = to.view({12, 10}), source = from.view({10, 12}).transpose();
        const auto strided = to.view({10, 12}).transpose();
        sweep([&] {
            copy(stream, permuted.rank() == 0 ? destination : strided, permuted.rank() == 0 ? source : from.view({12, 10}));
            wait_unobserved();
        });
    };
    for (const Dimensions& permuted : {Dimensions{}, Dimensions{1, 0}}) {
        sweep_copy(here, on_host, permuted);
        sweep_copy(on_host, here, permuted);
        sweep_copy(on_host, pinned, permuted);
        sweep_copy(here, there, permuted);
        sweep_copy(there, here, permuted);
        sweep_copy(there, there, permuted);
        sweep_copy(there, on_host, permuted);
        sweep_copy(on_host, there, permuted);
    }
    const auto both = [](Array& array) { return array.view({2, 3, 4, 5}).permute({3, 1, 0, 2}); };
    sweep([&] {
        copy(stream, there.view({3, 4, 2, 5}).permute({3, 0, 2, 1}), both(here));
        wait_unobserved();
    });
}

}  // namespace
}  // namespace cubind::testing
