// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What devices, pools and memory report on a GPU, and their connections if there are several GPUs.

#include <cubind/core.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/memory.hpp>
#include <cubind/driver.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

class PeerGpuTest : public DeviceGpuTest {
protected:
    /// Returns whether the driver is of this release or newer.
    static bool has(int release) { return driver::cuDriverGetVersion().value >= release; }
};

TEST_F(PeerGpuTest, ReportsConnections) {
    EXPECT_THROW((void)device->luid(), Error);
    for (const Device peer : device->peers()) {
        const PeerAttributes found = device->p2p_attribute(peer);
        EXPECT_TRUE(found.access_supported);
        RecordProperty("rank", found.performance_rank);
        RecordProperty("native atomics", found.native_atomics_supported ? "yes" : "no");
        if (has(13000)) {
            const AtomicCapabilities add = device->peer_atomics(peer, driver::CU_ATOMIC_OPERATION_INTEGER_ADD);
            // The driver of CUDA 13.0 names no operands where atomic operations are native, but never some where they are not.
            EXPECT_TRUE(!add || found.native_atomics_supported || found.only_partial_native_atomics_supported);
            RecordProperty("atomic addition", static_cast<int>(add.flags));
        }
    }
    if (has(13000)) (void)device->host_atomics(driver::CU_ATOMIC_OPERATION_CAS);
}

TEST_F(PeerGpuTest, RegistersCallbacksOfTheBudget) {
    if (!has(12040)) GTEST_SKIP() << "the driver has no such callbacks";
    OverBudgetCallback callback(*device, [](std::uint64_t) {});
    callback.close();
    device->primary_context().reset_persisting_l2_cache();
}

TEST_F(PeerGpuTest, ReportsWhatPoolsWereCreatedWith) {
    const DeviceMemoryResource pool(*device, {.max_size = 64 << 20, .ipc_enabled = true});
    if (!has(13020)) {
        EXPECT_THROW((void)pool.attributes().location(), Error);
        GTEST_SKIP() << "the driver has no such attributes";
    }
    EXPECT_EQ(pool.attributes().allocation_type(), AllocationType::pinned);
    EXPECT_EQ(pool.attributes().export_handle_types(), SharingHandle::posix_file_descriptor);
    EXPECT_EQ(pool.attributes().location(), MemoryLocation(*device));
    EXPECT_GE(pool.attributes().max_pool_size(), 64u << 20);
    RecordProperty("maximum size", std::to_string(pool.attributes().max_pool_size()));
    EXPECT_FALSE(pool.attributes().hw_decompress_enabled());
    RecordProperty("default maximum", std::to_string(DeviceMemoryResource(*device).attributes().max_pool_size()));
    for (const std::optional<MemoryLocation>& preferred :
         {std::optional<MemoryLocation>(), std::optional<MemoryLocation>(*device)}) {
        const ManagedMemoryResource managed({.preferred_location = preferred});
        if (!managed.has_pool()) continue;
        EXPECT_EQ(managed.attributes().allocation_type(), AllocationType::managed);
        EXPECT_EQ(managed.attributes().location(), preferred);
        RecordProperty("maximum of managed memory", std::to_string(managed.attributes().max_pool_size()));
        managed.trim();
    }
    if (has(13040)) {
        EXPECT_EQ(pool.attributes().locality_domain(), std::nullopt);
    }
}

TEST_F(PeerGpuTest, HasMemoryForNetworkAdapters) {
    const VirtualMemoryResource memory = VirtualMemoryResource::for_communication(*device);
    Buffer buffer = memory.allocate(stream, 4 << 20);
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).is_gpu_direct_rdma_capable, memory.options().gpu_direct_rdma);
    EXPECT_THROW(buffer.set_synchronizes_memory_operations(true), Error);
    Buffer of_pool = device->allocate(stream, 4096);
    of_pool.set_synchronizes_memory_operations(true);
    EXPECT_TRUE(PointerAttributes::of(of_pool.native_handle()).synchronizes_memory_operations);
    if (device->properties().dma_buf_supported()) {
        EXPECT_GE(buffer.dma_buf().native_handle(), 0);
    } else {
        EXPECT_THROW((void)buffer.dma_buf(), Error);
    }
}

TEST_F(PeerGpuTest, AllocatesManagedVirtualMemoryWhereTheDriverDoes) {
    try {
        const VirtualMemoryResource managed(*device, {.allocation_type = AllocationType::managed});
        const Buffer buffer = managed.allocate(stream, 4096);
        RecordProperty("managed virtual memory", "exists");
        EXPECT_TRUE(PointerAttributes::of(buffer.native_handle()).is_managed);
    } catch (const Error& refusal) {
        RecordProperty("managed virtual memory", refusal.what());
    }
}

TEST_F(PeerGpuTest, OpensAMulticastObjectOfItsOwn) {
    if (!device->properties().multicast_supported() || device->peers().empty()) GTEST_SKIP() << "no multicast of two devices";
    const MulticastObject object({*device}, 2 << 20, {.device_count = 2, .sharing = SharingHandle::posix_file_descriptor});
    MulticastObject opened = MulticastObject::import_object(object.export_object());
    EXPECT_EQ(opened.size(), object.size());
    opened.add_device(device->peers().front());
}

}  // namespace
}  // namespace cubind::testing
