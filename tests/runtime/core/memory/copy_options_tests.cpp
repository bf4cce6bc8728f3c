// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <numeric>

#include "memory/copy_attributes.hpp"
#include "memory_test.hpp"

namespace cubind::testing {
namespace {

constexpr SourceAccessOrder all_orders[] = {SourceAccessOrder::stream, SourceAccessOrder::during_api_call,
                                            SourceAccessOrder::any};

/// A release, and the function with which its driver makes a copy with options.
struct ReleaseCase {
    const char* release;
    const char* function;

    friend void PrintTo(const ReleaseCase& each, std::ostream* stream) { *stream << each.release; }
};

class CopyOptionsTest : public MemoryTest, public ::testing::WithParamInterface<ReleaseCase> {
protected:
    CopyOptionsTest() : MemoryTest({.devices = 2, .memory = std::size_t{1} << 30, .release = GetParam().release}) {}

    std::vector<int> read(const Buffer& buffer) {
        std::vector<int> results(buffer.size() / sizeof(int));
        copy(stream, results, buffer);
        stream.synchronize();
        return results;
    }

    std::vector<int> values{1, 2, 3, 4};
};

INSTANTIATE_TEST_SUITE_P(AllReleases, CopyOptionsTest,
                         ::testing::Values(ReleaseCase{"13.4", "cuMemcpyWithAttributesAsync"},
                                           ReleaseCase{"13.0", "cuMemcpyBatchAsync_v2"},
                                           ReleaseCase{"12.8", "cuMemcpyBatchAsync"}, ReleaseCase{"12.6", "cuMemcpyAsync"}),
                         [](const auto& each) {
                             std::string name = each.param.release;
                             name[name.find('.')] = '_';
                             return "Cuda" + name;
                         });

TEST_P(CopyOptionsTest, CopiesTheSameWithAllOptions) {
    for (const SourceAccessOrder order : all_orders) {
        for (const bool overlaps : {false, true}) {
            Buffer buffer = device.allocate(stream, 16);
            fill(stream, buffer, 0);
            stream.synchronize();  // the source of the second copy may be read early
            const CopyOptions options{.source_access_order = order,
                                      .source_location_hint = Host{},
                                      .destination_location_hint = device,
                                      .prefer_overlap_with_compute = overlaps};
            copy(stream, buffer, values, options);
            stream.synchronize();
            std::vector<int> results(4);
            copy(stream, results, buffer, options);
            stream.synchronize();
            EXPECT_EQ(results, values);
        }
    }
}

TEST_P(CopyOptionsTest, UsesTheNewestFunctionOfTheDriver) {
    Buffer buffer = device.allocate(stream, 16);
    layers::faults::start();
    copy(stream, buffer, values, {.source_access_order = SourceAccessOrder::any});
    EXPECT_EQ(layers::faults::calls(GetParam().function), 1u);
    copy(stream, buffer, values, {});
    EXPECT_GE(layers::faults::calls("cuMemcpyAsync"), 1u) << "the default options need no attributes";
    layers::faults::stop();
    stream.synchronize();
}

TEST_P(CopyOptionsTest, ReadsTheSourceBeforeTheCallReturns) {
    Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, 16);
    Buffer buffer = device.allocate(stream, 16);
    const std::span<int> elements = pinned.span<int>();
    std::iota(elements.begin(), elements.end(), 10);
    copy(stream, buffer, pinned, {.source_access_order = SourceAccessOrder::during_api_call});
    elements[0] = 99;
    EXPECT_THAT(read(buffer), ElementsAre(10, 11, 12, 13));
    copy_batch(stream, {{buffer, pinned}}, {.source_access_order = SourceAccessOrder::during_api_call});
    elements[0] = 100;
    EXPECT_THAT(read(buffer), ElementsAre(99, 11, 12, 13));
}

TEST_P(CopyOptionsTest, CopiesBetweenDevicesWithoutAccess) {
    Buffer here = device.allocate(stream, 16);
    const Stream on_other(Device(1));
    Buffer there = Device(1).allocate(on_other, 16);
    Buffer again = device.allocate(stream, 16);
    on_other.synchronize();
    copy(stream, here, values);
    stream.synchronize();
    for (const SourceAccessOrder order : all_orders) {
        copy(stream, there, here, {.source_access_order = order});
        stream.synchronize();
        copy_batch(stream, {{again, there}}, {.source_access_order = order});
        EXPECT_EQ(read(again), values);
        fill(stream, again, 0);
    }
    stream.synchronize();
}

TEST_P(CopyOptionsTest, CopiesInDefaultStreams) {
    device.set_current();
    Buffer buffer = device.allocate(stream, 16);
    stream.synchronize();
    for (const StreamRef each : {StreamRef::legacy_default(), StreamRef::per_thread_default()}) {
        for (const SourceAccessOrder order : all_orders) {
            fill(each, buffer, 0);
            copy(each, buffer, values, {.source_access_order = order});
            each.synchronize();
            EXPECT_EQ(read(buffer), values);
            fill(each, buffer, 0);
            copy_batch(each, {{buffer, values}}, {.source_access_order = order});
            each.synchronize();
            EXPECT_EQ(read(buffer), values);
        }
    }
}

TEST_P(CopyOptionsTest, CapturesCopies) {
    Buffer buffer = device.allocate(stream, 16);
    stream.synchronize();
    GraphBuilder builder(device);
    builder.begin_building();
    expect_misuse([&] { copy(builder, buffer, values, {.source_access_order = SourceAccessOrder::during_api_call}); },
                  "during_api_call", "captured");
    expect_misuse(
        [&] {
            copy_batch(builder, {{buffer, values, {.source_access_order = SourceAccessOrder::during_api_call}}});
        },
        "copy 0 of 1", "during_api_call", "captured");
    copy(builder, buffer.span<int>().first(2), std::span<const int>(values).first(2),
         {.source_access_order = SourceAccessOrder::any, .prefer_overlap_with_compute = true});
    copy_batch(builder, {{buffer.span<int>().last(2), std::span<const int>(values).last(2)}});
    const Graph graph = builder.end_building().complete();
    graph.launch(stream);
    EXPECT_EQ(read(buffer), values);
}

TEST_P(CopyOptionsTest, ChecksAsOtherCopiesDo) {
    Buffer small = device.allocate(stream, 8);
    const CopyOptions any{.source_access_order = SourceAccessOrder::any};
    expect_misuse([&] { copy(stream, small, values, any); }, "16 bytes to a destination of 8 bytes");
    layers::faults::start();
    copy(stream, small, std::span<const int>(), any);
    EXPECT_EQ(layers::faults::calls(GetParam().function), 0u);
    layers::faults::stop();
    expect_misuse([&] { copy(stream, small, values[0], {.source_access_order = static_cast<SourceAccessOrder>(9)}); },
                  "SourceAccessOrder", "9");
    const std::span<int> beyond(small.span<int>().data(), 4);
    EXPECT_THAT(message_of<Error>([&] { copy(stream, values, beyond, any); }),
                AllOf(HasSubstr("the source, 16 bytes at 0x"), HasSubstr("device memory of device 0: 8 bytes at 0x")));
    Stream closed = std::move(stream);
    EXPECT_THROW(copy(stream, small, values[0], any), std::invalid_argument);
    stream = std::move(closed);
}

TEST_P(CopyOptionsTest, ReportsEveryFailedCall) {
    Buffer buffer = device.allocate(stream, 16);
    TypedBuffer<int> ints = device.allocate<int>(stream, 4);
    stream.synchronize();
    sweep([&] { copy(stream, buffer, values, {.source_access_order = SourceAccessOrder::during_api_call}); });
    sweep([&] { ints.copy_from(stream, buffer, {.prefer_overlap_with_compute = true}); });
    sweep([&] { copy_batch(stream, {{buffer, values}, {ints, values}}, {.source_access_order = SourceAccessOrder::any}); });
    (void)stream.native_handle();  // the stream may be captured from now on
    sweep([&] { buffer.copy_from(stream, values, {.source_access_order = SourceAccessOrder::any}); });
    stream.synchronize();
}

// ---- the newest driver ---------------------------------------------------------------------------------------------------

class CopyAttributesTest : public MemoryTest {};

TEST_F(CopyAttributesTest, HaveTheDriversValues) {
    const driver::CUmemcpyAttributes plain = detail::attributes_of({});
    EXPECT_EQ(plain.srcAccessOrder, driver::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM);
    EXPECT_EQ(plain.srcLocHint.type, driver::CU_MEM_LOCATION_TYPE_INVALID);
    EXPECT_EQ(plain.dstLocHint.type, driver::CU_MEM_LOCATION_TYPE_INVALID);
    EXPECT_EQ(plain.flags, 0u);
    const driver::CUmemcpyAttributes all = detail::attributes_of({.source_access_order = SourceAccessOrder::any,
                                                                  .source_location_hint = Host::numa_current(),
                                                                  .destination_location_hint = Device(1),
                                                                  .prefer_overlap_with_compute = true});
    EXPECT_EQ(all.srcAccessOrder, driver::CU_MEMCPY_SRC_ACCESS_ORDER_ANY);
    EXPECT_EQ(all.srcLocHint.type, driver::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT);
    EXPECT_EQ(all.dstLocHint.type, driver::CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(all.dstLocHint.id, 1);
    EXPECT_EQ(all.flags, static_cast<unsigned int>(driver::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE));
}

TEST_F(CopyAttributesTest, LetTheDriverReadTheSourceOutOfOrder) {
    Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, 16);
    Buffer buffer = device.allocate(stream, 16);
    const std::span<int> elements = pinned.span<int>();
    std::iota(elements.begin(), elements.end(), 10);
    {
        Gate gate(stream);
        copy(stream, buffer.span<int>().first(2), elements.first(2), {.source_access_order = SourceAccessOrder::during_api_call});
        copy_batch(stream, {{buffer.span<int>().subspan(2, 1),
                             elements.subspan(2, 1),
                             {.source_access_order = SourceAccessOrder::during_api_call}},
                            {buffer.span<int>().subspan(3, 1), elements.subspan(3, 1)}});
        std::fill(elements.begin(), elements.end(), 99);
    }
    std::vector<int> results(4);
    copy(stream, results, buffer);
    stream.synchronize();
    EXPECT_THAT(results, ElementsAre(10, 11, 12, 99)) << "the last copy reads in stream order";
}

}  // namespace
}  // namespace cubind::testing
