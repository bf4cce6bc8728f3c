// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class PinnedMemoryTest : public MemoryTest {};

TEST_F(PinnedMemoryTest, IsAccessibleToHostAndDevice) {
    const LegacyPinnedMemoryResource pinned({.portable = true, .mapped = true, .write_combined = true});
    EXPECT_TRUE(pinned.is_host_accessible());
    EXPECT_TRUE(pinned.is_device_accessible());
    EXPECT_EQ(pinned.device(), std::nullopt);
    Buffer buffer = pinned.allocate(stream, 16);
    buffer.span<int>()[0] = 5;
    const auto address = reinterpret_cast<void*>(buffer.native_handle());
    device.set_current();
    EXPECT_EQ(check(driver::cuMemHostGetFlags(address)),
              driver::CU_MEMHOSTALLOC_DEVICEMAP | driver::CU_MEMHOSTALLOC_WRITECOMBINED)
        << "drivers do not report that memory is portable";
    ContextRef().set_current();
    EXPECT_EQ(PointerAttributes::of(address).kind, MemoryType::host);
    std::atomic<bool> is_done{false};
    stream.launch_host_function([&] { is_done = true; });
    buffer.close();
    EXPECT_TRUE(is_done);
    EXPECT_EQ(PointerAttributes::of(address).kind, MemoryType::unregistered);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(PinnedMemoryTest, DoesNotAffectCaptures) {
    Capture capture(stream);
    std::thread([&] {
        const Stream other(Device(1));
        Buffer buffer = LegacyPinnedMemoryResource().allocate(StreamRef::legacy_default(), 16);
    }).join();
    Buffer buffer = LegacyPinnedMemoryResource().allocate(stream, 16);
    buffer.close();
    EXPECT_THAT(capture.node_types(), IsEmpty());
}

TEST_F(PinnedMemoryTest, AllocatesOnDefaultStreams) {
    (void)LegacyPinnedMemoryResource().allocate(StreamRef::legacy_default(), 16);
    device.set_current();
    (void)LegacyPinnedMemoryResource().allocate(StreamRef::per_thread_default(), 16);
    EXPECT_TRUE(ContextRef::current() == device.primary_context());
}

TEST_F(PinnedMemoryTest, AllocatesFromAPool) {
    const PinnedMemoryResource pinned({.max_size = 1024});
    EXPECT_TRUE(pinned.is_handle_owned());
    EXPECT_TRUE(pinned.is_host_accessible());
    EXPECT_TRUE(pinned.is_device_accessible());
    EXPECT_EQ(pinned.device(), std::nullopt);
    EXPECT_EQ(pinned.numa_id(), std::nullopt);
    EXPECT_THAT(pinned.peer_accessible_by(), ElementsAre(Device(0), Device(1)));
    Buffer buffer = pinned.allocate(stream, 16);
    EXPECT_EQ(buffer.device(), std::nullopt);
    buffer.span<int>()[0] = 5;
    EXPECT_THAT(message_of<OutOfMemory>([&] { (void)pinned.allocate(stream, 2048); }), HasSubstr("at most 1024 bytes"));
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).kind, MemoryType::host);
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).pool, pinned.native_handle());
    EXPECT_EQ(pinned.attributes().used_mem_current(), 16u);
    buffer.close();
    stream.synchronize();
    EXPECT_EQ(pinned.attributes().used_mem_current(), 0u);
    EXPECT_THROW((void)pinned.allocate(stream, 2048), OutOfMemory);
}

TEST_F(PinnedMemoryTest, AllocatesFromAPoolOnANumaNode) {
    EXPECT_EQ(PinnedMemoryResource({.numa_id = 0}).numa_id(), 0);
    EXPECT_THAT(message_of<Error>([] { PinnedMemoryResource pinned({.numa_id = 99}); }),
                HasSubstr("HOST_NUMA_MEMORY_POOLS_SUPPORTED"));
}

class PinnedMemoryWithoutPoolsTest : public MemoryTest {
protected:
    PinnedMemoryWithoutPoolsTest() : MemoryTest({.devices = 1, .release = "12.0"}) {}
};

TEST_F(PinnedMemoryWithoutPoolsTest, NamesTheRequiredRelease) {
    const std::string message = message_of<Error>([] { PinnedMemoryResource pinned; });
    EXPECT_THAT(message, HasSubstr("CUDA 13.0"));
    EXPECT_THAT(message, HasSubstr("LegacyPinnedMemoryResource"));
    (void)LegacyPinnedMemoryResource().allocate(stream, 16);
}

TEST_F(PinnedMemoryWithoutPoolsTest, AllocatesFromDevicePools) {
    Buffer buffer = device.allocate(stream, 16);
    std::vector<int> values(4);
    copy(stream, buffer, values);
    fill(stream, buffer, 1);
    stream.synchronize();
}

// ---- pointer attributes --------------------------------------------------------------------------------------------------

class PointerAttributesTest : public MemoryTest {};

TEST_F(PointerAttributesTest, DescribesEachKindOfMemory) {
    const Buffer buffer = device.allocate(stream, 64);
    const auto pooled = PointerAttributes::of(buffer.native_handle() + 8);
    EXPECT_EQ(pooled.kind, MemoryType::device);
    EXPECT_EQ(pooled.device, device);
    EXPECT_EQ(pooled.allocation, buffer.native_handle());
    EXPECT_EQ(pooled.allocation_size, 64u);
    EXPECT_EQ(pooled.device_pointer, buffer.native_handle() + 8);
    EXPECT_EQ(pooled.host_pointer, nullptr);
    EXPECT_EQ(pooled.pool, DeviceMemoryResource(device).native_handle());
    EXPECT_FALSE(pooled.context);
    EXPECT_TRUE(pooled.is_mapped);
    EXPECT_FALSE(pooled.is_managed);
    EXPECT_NE(pooled.id, 0u);
    EXPECT_EQ(pooled.access, driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    device.set_current();
    const driver::CUdeviceptr linear = check(driver::cuMemAlloc(64));
    EXPECT_EQ(PointerAttributes::of(linear).context, device.primary_context());
    EXPECT_TRUE(PointerAttributes::of(linear).is_legacy_ipc_capable);
    check(driver::cuMemFree(linear));
    const driver::CUdeviceptr managed = check(driver::cuMemAllocManaged(64, driver::CU_MEM_ATTACH_GLOBAL));
    EXPECT_EQ(PointerAttributes::of(managed).kind, MemoryType::managed);
    EXPECT_TRUE(PointerAttributes::of(managed).is_managed);
    EXPECT_EQ(PointerAttributes::of(managed).host_pointer, reinterpret_cast<void*>(managed));
    check(driver::cuMemFree(managed));
    const int local = 1;
    const auto unknown = PointerAttributes::of(&local);
    EXPECT_EQ(unknown.kind, MemoryType::unregistered);
    EXPECT_EQ(unknown.device, std::nullopt);
    EXPECT_EQ(unknown.allocation_size, 0u);
}

}  // namespace
}  // namespace cubind::testing
