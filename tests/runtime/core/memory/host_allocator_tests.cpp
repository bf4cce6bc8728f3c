// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/host_allocator.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/memory_adaptors.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pmr_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <memory_resource>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

template <class Element>
using HostVector = std::vector<Element, HostAllocator<Element>>;

class HostAllocatorTest : public MemoryTest {
protected:
    /// The resources for containers.
    static std::vector<MemoryResource> resources() {
        return {LegacyPinnedMemoryResource(), PinnedMemoryResource(), ManagedMemoryResource()};
    }
};

TEST_F(HostAllocatorTest, SuppliesAVectorWithPinnedMemory) {
    HostVector<float> values(1000, 1.5f, HostAllocator<float>(stream));
    EXPECT_EQ(PointerAttributes::of(values.data()).kind, MemoryType::host);
    EXPECT_FALSE(ContextRef::current());

    TypedBuffer<float> on_device = device.allocate<float>(stream, values.size());
    copy(stream, on_device, values);
    HostVector<float> results(values.size(), values.get_allocator());
    copy(stream, results, on_device);
    stream.synchronize();
    EXPECT_EQ(results, values);
}

TEST_F(HostAllocatorTest, SuppliesContainersWithMemoryOfEachResource) {
    for (const MemoryResource& resource : resources()) {
        const StatisticsMemoryResource counted(resource);
        {
            HostVector<int> values(HostAllocator<int>(counted, stream));
            for (int i = 0; i < 100; ++i) values.push_back(i);
            EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 4950);
            std::map<int, int, std::less<>, HostAllocator<std::pair<const int, int>>> map(values.get_allocator());
            map[1] = 2;
            EXPECT_GT(counted.statistics().current_count, 1u);
        }
        EXPECT_EQ(counted.statistics().current_count, 0u);
    }
}

TEST_F(HostAllocatorTest, DoesNotWaitForTheWorkOfTheStream) {
    const PinnedMemoryResource pinned;
    Gate gate(stream);
    HostVector<int> values({1, 2, 3}, HostAllocator<int>(pinned, stream));
    values.reserve(100);  // frees memory in stream order
    EXPECT_EQ(values[2], 3);
    EXPECT_FALSE(stream.is_done());
}

TEST_F(HostAllocatorTest, FreesMemoryAfterTheWorkOfTheStream) {
    const PinnedMemoryResource pinned;
    std::vector<int> results(100);
    Buffer buffer = device.allocate(stream, 400);
    Gate gate(stream);
    {
        const HostVector<int> values(100, 7, HostAllocator<int>(pinned, stream));
        copy(stream, buffer, values);
        EXPECT_GT(pinned.attributes().used_mem_current(), 0u);
    }
    EXPECT_GT(pinned.attributes().used_mem_current(), 0u) << "the copy still reads the memory";
    gate.open();
    copy(stream, results, buffer);
    stream.synchronize();
    EXPECT_EQ(results, std::vector<int>(100, 7));
    EXPECT_EQ(pinned.attributes().used_mem_current(), 0u);
}

TEST_F(HostAllocatorTest, MemoryWithoutAPoolIsFreedAfterTheStreamWasSynchronized) {
    std::atomic<bool> is_done{false};
    {
        const HostVector<int> values(100, HostAllocator<int>(stream));
        stream.launch_host_function([&] { is_done = true; });
    }
    EXPECT_TRUE(is_done);
}

TEST_F(HostAllocatorTest, IsEqualForTheSameResourceAndStream) {
    const LegacyPinnedMemoryResource pinned;
    const Stream other(device);
    const HostAllocator<int> one(pinned, stream);
    EXPECT_EQ(one, HostAllocator<int>(one));
    EXPECT_EQ(one, HostAllocator<float>(pinned, stream));
    EXPECT_NE(one, HostAllocator<int>(pinned, other));
    EXPECT_NE(one, HostAllocator<int>(LegacyPinnedMemoryResource(), stream));
    device.set_current();
    const HostAllocator<int> of_device(pinned, StreamRef::legacy_default());
    Device(1).set_current();
    EXPECT_NE(of_device, HostAllocator<int>(pinned, StreamRef::legacy_default()));
    ContextRef().set_current();
}

TEST_F(HostAllocatorTest, MovesWithItsContainer) {
    const Stream other(device);
    HostVector<int> first(10, 1, HostAllocator<int>(stream));
    HostVector<int> second(20, 2, HostAllocator<int>(other));
    const int* const data = first.data();
    swap(first, second);
    EXPECT_EQ(second.data(), data);
    first = std::move(second);
    EXPECT_EQ(first.data(), data);
    EXPECT_EQ(first.get_allocator(), HostVector<int>(first).get_allocator());
}

TEST_F(HostAllocatorTest, RetainsTheStreamAndTheResource) {
    std::optional<HostVector<int>> values;
    {
        const Stream shorter(device);
        values.emplace(10, HostAllocator<int>(PinnedMemoryResource(), shorter));
    }
    values->resize(1000);
    values.reset();
}

TEST_F(HostAllocatorTest, RejectsMemoryThatTheHostCannotAccess) {
    expect_misuse([&] { HostAllocator<int>(device.memory_resource(), stream); }, "the host can access",
                  "LegacyPinnedMemoryResource");
    expect_misuse([&] { PmrMemoryResource(device.memory_resource(), stream); }, "the host can access");
    expect_misuse([] { HostAllocator<int>{Stream()}; }, "Stream");
}

TEST_F(HostAllocatorTest, ThrowsIfThereIsNotEnoughMemory) {
    HostAllocator<int> allocator(LimitMemoryResource(LegacyPinnedMemoryResource(), 1024), stream);
    EXPECT_THROW((void)allocator.allocate(1000), OutOfMemory);
    EXPECT_THROW((void)allocator.allocate(std::numeric_limits<std::size_t>::max() / 2), std::bad_array_new_length);
}

TEST_F(HostAllocatorTest, AlignsMoreThanItsResource) {
    struct alignas(4096) Wide {
        int value = 0;
    };
    const StatisticsMemoryResource counted{LegacyPinnedMemoryResource()};
    {
        HostVector<Wide> values(HostAllocator<Wide>(counted, stream));
        for (int i = 0; i < 5; ++i) values.push_back({i});
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(Wide), 0u);
        EXPECT_EQ(values[4].value, 4);
    }
    EXPECT_EQ(counted.statistics().current_size, 0u);
    HostAllocator<Wide> allocator(stream);
    EXPECT_THROW((void)allocator.allocate(std::numeric_limits<std::size_t>::max() / sizeof(Wide)), std::bad_array_new_length);
}

TEST_F(HostAllocatorTest, AllocatesDuringACapture) {
    GraphBuilder builder(device);
    builder.begin_building(CaptureMode::global);
    { const HostVector<int> values(10, HostAllocator<int>(PinnedMemoryResource(), stream)); }
    { const HostVector<int> values(10, HostAllocator<int>(stream)); }
    builder.end_building();
}

TEST_F(HostAllocatorTest, ReportsAMemoryThatCannotBeFreed) {
    const auto resource = std::make_shared<RecordingResource>();
    HostAllocator<int> allocator(MemoryResource(resource), stream);
    int* const memory = allocator.allocate(1);
    resource->throws = true;
    allocator.deallocate(memory, 1);
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("free 4 bytes")));
    resource->throws = false;
    allocator.deallocate(memory, 1);
}

TEST_F(HostAllocatorTest, ReportsAFailureOfEachCall) {
    const auto use_memory = [] {
        const Stream used(Device(0));
        const PinnedMemoryResource pinned;
        for (const MemoryResource& resource : {MemoryResource(pinned), MemoryResource(LegacyPinnedMemoryResource())}) {
            PmrMemoryResource memory(resource, used);
            const std::pmr::vector<int> values(10, &memory);
        }
        used.synchronize();
    };
    sweep(use_memory, {"cuStreamIsCapturing"});  // memory is freed without the answer
}

// ---- std::pmr ------------------------------------------------------------------------------------------------------------

TEST_F(HostAllocatorTest, SuppliesPolymorphicContainers) {
    for (const MemoryResource& resource : resources()) {
        const StatisticsMemoryResource counted(resource);
        PmrMemoryResource memory(counted, stream);
        {
            std::pmr::vector<float> values(1000, 2.5f, &memory);
            Buffer buffer = device.allocate(stream, values.size() * sizeof(float));
            copy(stream, buffer, values);
            std::pmr::vector<float> results(values.size(), &memory);
            copy(stream, results, buffer);
            stream.synchronize();
            EXPECT_EQ(results, values);
            std::pmr::vector<std::pmr::string> texts(&memory);
            texts.emplace_back("a text that is too long for the object itself");
            EXPECT_EQ(counted.statistics().current_count, 4u);
        }
        EXPECT_EQ(counted.statistics().current_count, 0u);
    }
}

TEST_F(HostAllocatorTest, IsTheUpstreamOfAPolymorphicPool) {
    const StatisticsMemoryResource counted{LegacyPinnedMemoryResource()};
    PmrMemoryResource memory(counted, stream);
    {
        std::pmr::unsynchronized_pool_resource pool(&memory);
        const std::pmr::vector<int> values(100, &pool);
        EXPECT_EQ(PointerAttributes::of(values.data()).kind, MemoryType::host);
    }
    EXPECT_EQ(counted.statistics().current_count, 0u);
}

TEST_F(HostAllocatorTest, ComparesPolymorphicResources) {
    const LegacyPinnedMemoryResource pinned;
    const PmrMemoryResource one(pinned, stream);
    const PmrMemoryResource same(pinned, stream);
    const PmrMemoryResource other(stream);
    EXPECT_TRUE(one.is_equal(same));
    EXPECT_FALSE(one.is_equal(other));
    EXPECT_FALSE(one.is_equal(*std::pmr::new_delete_resource()));
}

TEST_F(HostAllocatorTest, AllocatesAnAddressForNoBytes) {
    PmrMemoryResource memory(stream);
    void* const pointer = memory.allocate(0, 256);
    EXPECT_NE(pointer, nullptr);
    memory.deallocate(pointer, 0, 256);
    expect_misuse([&] { (void)memory.allocate(1, std::size_t{1} << 32); }, "4294967296");
}

}  // namespace
}  // namespace cubind::testing
