// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/launch/detail/kernel_argument.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>

#include <numeric>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class VirtualBufferTest : public MemoryTest {
protected:
    std::size_t free_memory() const { return device.memory_info().free; }

    VirtualMemoryResource memory{device};
};

TEST_F(VirtualBufferTest, GrowsWithoutMoving) {
    VirtualBuffer buffer(memory, stream, 12);
    const driver::CUdeviceptr address = buffer.native_handle();
    EXPECT_EQ(buffer.size(), 12u);
    EXPECT_EQ(buffer.capacity(), unit);
    EXPECT_EQ(buffer.reserved_size(), device.memory_info().total) << "the default";
    const std::vector<int> values{1, 2, 3};
    copy(stream, buffer, values);

    const std::size_t before = free_memory();
    buffer.grow(unit);
    EXPECT_EQ(buffer.size(), unit);
    EXPECT_EQ(free_memory(), before) << "there was memory for this size";
    buffer.grow(3 * unit + 4);
    EXPECT_EQ(buffer.capacity(), 4 * unit);
    EXPECT_EQ(free_memory(), before - 3 * unit);
    EXPECT_EQ(buffer.native_handle(), address);
    fill(stream, buffer.span<int>().subspan(3), 9);
    std::vector<int> results(buffer.count<int>());
    copy(stream, results, buffer);
    stream.synchronize();
    EXPECT_EQ(std::accumulate(results.begin(), results.end(), 0LL), 6 + 9 * static_cast<long long>(results.size() - 3));

    buffer.close();
    EXPECT_TRUE(buffer.is_closed());
    EXPECT_EQ(free_memory(), before + unit);
    EXPECT_THROW(buffer.grow(16), std::invalid_argument);
    EXPECT_THROW((void)buffer.capacity(), std::invalid_argument);
}

TEST_F(VirtualBufferTest, IsUnchangedIfItCannotGrow) {
    VirtualBuffer buffer(memory, stream, unit, {.reserve_size = 2 * unit - 1});
    EXPECT_EQ(buffer.reserved_size(), 2 * unit);
    expect_misuse([&] { buffer.grow(2 * unit + 1); }, "4194305", "4194304", "reserve_size");
    expect_misuse([&] { buffer.grow(unit - 1); }, "2097151", "2097152");
    VirtualBuffer large(memory, stream, unit, {.reserve_size = std::size_t{4} << 30});
    const std::size_t before = free_memory();
    try {
        large.grow(std::size_t{2} << 30);
        FAIL() << "the device has 1 GiB";
    } catch (const OutOfMemory& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("2145386496"), HasSubstr("2097152")));
    }
    EXPECT_EQ(large.size(), unit);
    EXPECT_EQ(large.capacity(), unit);
    EXPECT_EQ(free_memory(), before);
    large.grow(2 * unit);
    fill(stream, large.bytes().span<std::uint8_t>(), std::uint8_t{1});
    stream.synchronize();
}

TEST_F(VirtualBufferTest, RejectsInvalidSizes) {
    expect_misuse([&] { static_cast<void>(VirtualBuffer(memory, stream, 0)); }, "0 bytes");
    expect_misuse([&] { static_cast<void>(VirtualBuffer(memory, stream, 2 * unit, {.reserve_size = unit})); }, "2097152",
                  "4194304");
    EXPECT_THROW(static_cast<void>(VirtualBuffer(memory, stream, 1, {.reserve_size = std::size_t{1} << 60})), OutOfMemory);
    Stream closed(device);
    closed.close();
    EXPECT_THROW(static_cast<void>(VirtualBuffer(memory, closed, 16)), std::invalid_argument);
    EXPECT_EQ(free_memory(), device.memory_info().total);
}

TEST_F(VirtualBufferTest, HasAnAccessForEachDevice) {
    VirtualBuffer buffer(memory, stream, unit);
    EXPECT_EQ(buffer.access(device), MemoryAccess::read_write);
    EXPECT_EQ(buffer.access(Device(1)), MemoryAccess::none);
    buffer.set_access(Device(1), MemoryAccess::read);
    EXPECT_EQ(buffer.access(Device(1)), MemoryAccess::read);
    buffer.set_access(Device(1), MemoryAccess::read_write);
    buffer.grow(3 * unit);
    const driver::CUmemLocation peer = MemoryLocation(Device(1)).native();
    EXPECT_EQ(check(driver::cuMemGetAccess(&peer, buffer.native_handle() + 2 * unit)), 3u) << "of the new bytes";
    buffer.set_access(Device(1), MemoryAccess::none);
    EXPECT_EQ(check(driver::cuMemGetAccess(&peer, buffer.native_handle() + 2 * unit)), 0u);
    EXPECT_EQ(buffer.access(device), MemoryAccess::read_write);
}

TEST_F(VirtualBufferTest, OutlivesItsResourceAndItsStream) {
    const std::size_t before = free_memory();
    std::optional<VirtualMemoryResource> own_memory(device);
    Stream own_stream(device);
    VirtualBuffer buffer(*own_memory, own_stream, unit);
    own_memory.reset();
    own_stream.close();
    buffer.grow(2 * unit);
    VirtualBuffer moved = std::move(buffer);
    EXPECT_TRUE(buffer.is_closed());
    moved.grow(3 * unit);
    EXPECT_EQ(moved.capacity(), 3 * unit);
    moved = VirtualBuffer();
    EXPECT_EQ(free_memory(), before);
}

TEST_F(VirtualBufferTest, IsRetainedByCapturedWork) {
    const std::size_t before = free_memory();
    std::optional<Graph> graph;
    VirtualBuffer buffer(memory, stream, unit);
    {
        GraphBuilder builder(device);
        builder.begin_building();
        fill(builder, buffer, std::uint8_t{1});
        builder.end_building();
        graph = builder.complete();
    }
    buffer.grow(2 * unit);
    buffer = VirtualBuffer();
    EXPECT_EQ(free_memory(), before - 2 * unit);
    graph->launch(stream);
    stream.synchronize();
    graph.reset();
    destroy_deferred_objects();
    EXPECT_EQ(free_memory(), before);
}

TEST_F(VirtualBufferTest, IsAKernelArgument) {
    VirtualBuffer buffer(memory, stream, unit);
    static_assert(detail::HasDeviceAddress<VirtualBuffer> && detail::CanBeShared<VirtualBuffer>);
    EXPECT_EQ(share(buffer), detail::share(buffer.bytes()));
}

class VirtualMemorySweepTest : public MemoryTest {};

TEST_F(VirtualMemorySweepTest, ReportsFailuresOfGrowingBuffers) {
    const VirtualMemoryResource memory(device);
    // Without the first, a free waits; the second is called again if it fails.
    const std::vector<std::string> tolerated{"cuStreamIsCapturing", "cuMemUnmap"};
    const std::size_t before = device.memory_info().free;
    sweep(
        [&] {
            const VirtualMemoryResource own(device, {.peers = {Device(1)}});
            Buffer buffer = own.allocate(stream, 16);
            buffer.close();
        },
        tolerated);
    sweep([&] { (void)memory.allocate(stream, 16); }, tolerated);
    sweep(
        [&] {
            VirtualBuffer buffer(memory, stream, 16);
            buffer.set_access(Device(1), MemoryAccess::read);
            buffer.grow(3 * unit);
            (void)buffer.access(Device(1));
        },
        tolerated);
    EXPECT_EQ(device.memory_info().free, before);
}

TEST_F(VirtualMemorySweepTest, LeavesTheBufferUnchangedAfterAFailureOfGrowing) {
    const VirtualMemoryResource memory(device);
    VirtualBuffer buffer(memory, stream, unit);
    const std::size_t before = device.memory_info().free;
    std::size_t failures = 0;
    std::size_t size = unit;
    sweep([&] {
        const std::size_t capacity = buffer.capacity();
        try {
            buffer.grow(size + unit);
            size += unit;
        } catch (const Error&) {
            ++failures;
            EXPECT_EQ(buffer.size(), size);
            EXPECT_EQ(buffer.capacity(), capacity);
            throw;
        }
    });
    EXPECT_EQ(failures, 3u) << "cuMemCreate, cuMemMap and cuMemSetAccess";
    EXPECT_EQ(device.memory_info().free, before - (size - unit));
    fill(stream, buffer, std::uint8_t{1});
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
