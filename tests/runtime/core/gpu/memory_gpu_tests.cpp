// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Copies with options, batches and registered memory on a GPU. Functions that the driver lacks are replaced by older ones.

#include <cubind/core.hpp>
#include <cubind/driver.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

constexpr SourceAccessOrder all_orders[] = {SourceAccessOrder::stream, SourceAccessOrder::during_api_call,
                                            SourceAccessOrder::any};

class MemoryGpuTest : public DeviceGpuTest {
protected:
    std::vector<int> read(const Buffer& buffer) {
        std::vector<int> results(buffer.size() / sizeof(int));
        copy(stream, results, buffer);
        stream.synchronize();
        return results;
    }

    std::vector<int> values = std::vector<int>(4096, 7);
};

TEST_F(MemoryGpuTest, CopiesWithAllOptions) {
    device->set_current();  // for the default streams
    const std::size_t size = values.size() * sizeof(int);
    Buffer pinned = LegacyPinnedMemoryResource().allocate(stream, size);
    Buffer managed = ManagedMemoryResource().allocate(stream, size);
    Buffer buffer = device->allocate(stream, size);
    for (const SourceAccessOrder order : all_orders) {
        for (const bool overlaps : {false, true}) {
            const CopyOptions options{.source_access_order = order,
                                      .source_location_hint = Host{},
                                      .destination_location_hint = *device,
                                      .prefer_overlap_with_compute = overlaps};
            fill(stream, buffer, 0);
            stream.synchronize();
            copy(stream, buffer, values, options);
            stream.synchronize();
            copy(stream, pinned, buffer, options);
            stream.synchronize();
            copy(stream, managed, pinned, options);
            stream.synchronize();
            EXPECT_EQ(read(managed), values);
            copy(StreamRef::per_thread_default(), buffer, pinned.span<int>().first(1), options);
            copy(StreamRef::legacy_default(), buffer, pinned.span<int>().first(1), options);
            device->synchronize();
        }
    }
}

TEST_F(MemoryGpuTest, CopiesAndCapturesBatches) {
    Buffer first = device->allocate(stream, 16);
    Buffer second = device->allocate(stream, 16);
    const int one[4] = {1, 2, 3, 4};
    const int two[4] = {5, 6, 7, 8};
    copy_batch(stream, {{first, one}, {second, two, {.source_access_order = SourceAccessOrder::during_api_call}}});
    EXPECT_THAT(read(first), ::testing::ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(read(second), ::testing::ElementsAre(5, 6, 7, 8));
    GraphBuilder builder(*device);
    builder.begin_building();
    copy_batch(builder, {{first, two}, {second, one}}, {.source_access_order = SourceAccessOrder::any});
    const Graph graph = builder.end_building().complete();
    graph.launch(stream);
    EXPECT_THAT(read(first), ::testing::ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(read(second), ::testing::ElementsAre(1, 2, 3, 4));
}

TEST_F(MemoryGpuTest, MigratesBatches) {
    if (!device->properties().concurrent_managed_access()) GTEST_SKIP() << "the device cannot prefetch";
    const ManagedMemoryResource managed;
    Buffer first = managed.allocate(stream, 1 << 20);
    Buffer second = managed.allocate(stream, 1 << 20);
    stream.synchronize();
    const std::vector<ManagedMemory> pieces{ManagedMemory(first), ManagedMemory(second)};
    prefetch_batch(stream, pieces, {*device, Host{}});
    stream.synchronize();
    EXPECT_EQ(pieces[0].last_prefetch_location(), MemoryLocation(*device));
    EXPECT_EQ(pieces[1].last_prefetch_location()->device(), std::nullopt);
    if (!driver::has(driver::cuMemDiscardBatchAsync)) return;
    discard_batch(stream, pieces);
    discard_prefetch_batch(stream, pieces, *device);
    fill(stream, second, 3);
    stream.synchronize();
    EXPECT_EQ(second.span<int>()[0], 3);
}

TEST_F(MemoryGpuTest, ClonesResizesAndSetsElements) {
    struct Large {
        double numbers[5];
        unsigned char end[3];
    };
    TypedBuffer<Large> buffer = device->allocate<Large>(stream, 2);
    const Large value{{1, 2, 2, 2, 3}, {4, 5, 6}};
    buffer.set(stream, 1, value);
    const TypedBuffer<Large> copied = buffer.clone(stream);
    buffer.fill(stream, std::byte{0});
    buffer.resize(stream, 1 << 20);
    EXPECT_EQ(buffer.get(stream, 1).numbers[4], 0);
    const Large found = copied.get(stream, 1);
    EXPECT_THAT(found.numbers, ::testing::ElementsAreArray(value.numbers));
    EXPECT_THAT(found.end, ::testing::ElementsAreArray(value.end));

    TypedBuffer<double> doubles = device->allocate<double>(stream, 3);
    GraphBuilder builder(*device);
    builder.begin_building();
    doubles.set(builder, 1, 2.5);
    builder.end_building();
    Graph graph = builder.complete();
    doubles.fill(stream, std::byte{0});
    EXPECT_EQ(doubles.get(stream, 1), 0);
    graph.launch(stream);
    EXPECT_EQ(doubles.get(stream, 1), 2.5);
    EXPECT_THROW(buffer.resize(stream, std::size_t{1} << 40), OutOfMemory);
    EXPECT_EQ(buffer.count(), std::size_t{1} << 20);
}

TEST_F(MemoryGpuTest, AttachesManagedMemoryAndCopiesAttributes) {
    device->set_current();
    const auto managed = check(driver::cuMemAllocManaged(4096, driver::CU_MEM_ATTACH_GLOBAL));
    for (const auto attachment : {MemoryAttachment::single, MemoryAttachment::host, MemoryAttachment::global})
        EXPECT_NO_THROW(stream.attach(managed, attachment)) << static_cast<int>(attachment);
    EXPECT_THROW(StreamRef(StreamRef::Handle()).attach(managed), Error);
    EXPECT_THROW(stream.attach(device->allocate(stream, 16).native_handle()), Error);
    stream.synchronize();
    check(driver::cuMemFree(managed));

    driver::CUstreamAttrValue value{};
    value.syncPolicy = driver::CU_SYNC_POLICY_YIELD;
    stream.set_attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, value);
    const Stream other(*device);
    other.copy_attributes(stream);
    EXPECT_EQ(other.attribute(driver::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).syncPolicy, driver::CU_SYNC_POLICY_YIELD);
}

TEST_F(MemoryGpuTest, RegistersMemoryInPlace) {
    Buffer buffer = device->allocate(stream, values.size() * sizeof(int));
    {
        RegisteredHostMemory pinned(values, {.mapped = true});
        EXPECT_EQ(PointerAttributes::of(values.data()).kind, MemoryType::host);
        EXPECT_NE(pinned.native_handle(), 0u);
        copy(stream, buffer, values);
        fill(stream, pinned, 9);
        stream.synchronize();
        EXPECT_THAT(values, ::testing::Each(9));
        copy(stream, pinned, buffer);
        stream.synchronize();
        EXPECT_THAT(values, ::testing::Each(7));
        try {
            const RegisteredHostMemory again(values);
            ADD_FAILURE() << "the memory was registered twice";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("overlap registered or pinned memory"));
        }
    }
    EXPECT_EQ(PointerAttributes::of(values.data()).kind, MemoryType::unregistered);
}

}  // namespace
}  // namespace cubind::testing
