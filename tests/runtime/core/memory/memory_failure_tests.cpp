// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Each driver call of each operation on memory fails once.

#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class MemorySweepTest : public MemoryTest {};

TEST_F(MemorySweepTest, ReportsFailuresOfAllocatingAndFreeing) {
    EXPECT_EQ(sweep([&] { device.allocate(stream, 16).close(); }), 2u) << "the operation makes only the necessary calls";
    EXPECT_EQ(sweep([&] { (void)device.allocate(stream, 16); }), 2u);
    sweep(
        [&] {
            const Stream other(device);
            device.allocate(stream, 16).close(other);
        },
        {"cuCtxGetDevice"});  // if this call fails, the stream is created in the primary context
}

TEST_F(MemorySweepTest, ReportsFailuresOfDefaultStreams) {
    device.set_current();
    sweep([&] { (void)device.allocate(device.default_stream(), 16); }, {"cuCtxGetCurrent"});
}

TEST_F(MemorySweepTest, ReportsFailuresOfRetainedBuffers) {
    sweep([&] { (void)detail::share(device.allocate(stream, 16)); });
}

TEST_F(MemorySweepTest, ReportsFailuresOfPools) {
    sweep([&] {
        const DeviceMemoryResource pool(device, {.max_size = 1024});
        (void)pool.allocate(stream, 16);
        pool.attributes().set_reuse_allow_opportunistic(pool.attributes().reuse_allow_opportunistic());
        pool.set_peer_accessible_by(Device::all());
        pool.trim();
    });
}

TEST_F(MemorySweepTest, ReportsFailuresOfCopyingAndFilling) {
    std::vector<int> values(4);
    Buffer buffer = device.allocate(stream, 16);
    Device(1).set_current();
    // If there are several devices, one of the calls queries the location of the values.
    EXPECT_EQ(sweep([&] { copy(stream, buffer, values); }), 5u);
    device.set_current();
    EXPECT_EQ(sweep([&] { copy(stream, buffer, values); }), 3u);
    Buffer there = Device(1).allocate(Stream(Device(1)), 16);
    stream.synchronize();
    EXPECT_GE(sweep([&] { copy(stream, there, buffer); }, {"cuMemcpyAsync"}), 5u);
    EXPECT_EQ(sweep([&] { fill(stream, buffer, 1); }), 1u);
    EXPECT_EQ(sweep([&] { fill(stream, buffer, std::uint16_t{1}); }), 1u);
    EXPECT_EQ(sweep([&] { fill(stream, buffer, std::uint8_t{1}); }), 1u);
    EXPECT_EQ(sweep([&] { (void)PointerAttributes::of(buffer.native_handle()); }), 1u);
    stream.synchronize();
}

TEST_F(MemorySweepTest, ReportsFailuresOfARejectedAllocation) {
    sweep(
        [&] {
            try {
                (void)device.allocate(stream, std::size_t{1} << 50);
                FAIL() << "the device has less memory";
            } catch (const OutOfMemory&) {
            }
        },
        {"cuMemAllocFromPoolAsync", "cuMemPoolGetAttribute", "cuDevicePrimaryCtxGetState", "cuDeviceTotalMem_v2",
         "cuMemGetInfo_v2", "cuCtxGetDevice", "cuCtxGetCurrent", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2"});
}

TEST_F(MemorySweepTest, ReportsFailuresOfPinnedMemory) {
    sweep([&] { (void)LegacyPinnedMemoryResource({.portable = true}).allocate(stream, 16); }, {"cuStreamIsCapturing"});
    sweep([&] { (void)PinnedMemoryResource().allocate(stream, 16); });
}

TEST_F(MemorySweepTest, ReportsFailuresOfManagedMemory) {
    const Stream owned(device);
    sweep([&] {
        Buffer buffer = ManagedMemoryResource({.preferred_location = Host{}}).allocate(owned, 16);
        const ManagedMemory memory(buffer);
        memory.prefetch(owned, device);
        memory.discard_prefetch(owned, device);
        memory.discard(owned);
        memory.set_read_mostly(!memory.read_mostly());
        memory.set_accessed_by({device});
        (void)memory.preferred_location();
        (void)memory.last_prefetch_location();
    });
}

TEST_F(MemorySweepTest, ReportsFailuresOfMemoryOfACapture) {
    Capture capture(stream, driver::CU_STREAM_CAPTURE_MODE_RELAXED);
    sweep([&] { device.allocate(stream, 16).close(); }, {"cuStreamGetCaptureInfo"});
}

}  // namespace
}  // namespace cubind::testing
