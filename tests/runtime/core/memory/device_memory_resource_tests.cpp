// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/layers/layer.hpp>

#include <limits>
#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

constexpr std::uint64_t max_threshold = std::numeric_limits<std::uint64_t>::max();

class DeviceMemoryResourceTest : public MemoryTest {};

TEST_F(DeviceMemoryResourceTest, RaisesTheThresholdOfTheDefaultPool) {
    const DeviceMemoryResource pool(device);
    EXPECT_FALSE(pool.is_handle_owned());
    EXPECT_EQ(pool.native_handle(), check(driver::cuDeviceGetDefaultMemPool(0)));
    EXPECT_EQ(pool.device(), device);
    EXPECT_EQ(pool.attributes().release_threshold(), max_threshold);
    EXPECT_EQ(pool, device.memory_resource());
    EXPECT_EQ(pool, DeviceMemoryResource(device));
    pool.attributes().set_release_threshold(64);
    EXPECT_EQ(DeviceMemoryResource(device).attributes().release_threshold(), 64u) << "the program has set it";
    EXPECT_EQ(DeviceMemoryResource(Device(1)).device(), Device(1));
}

TEST_F(DeviceMemoryResourceTest, DoesNotChangeAThresholdOfTheProgram) {
    std::uint64_t threshold = 4096;
    const driver::CUmemoryPool pool = check(driver::cuDeviceGetDefaultMemPool(1));
    check(driver::cuMemPoolSetAttribute(pool, driver::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    EXPECT_EQ(DeviceMemoryResource(Device(1)).attributes().release_threshold(), 4096u);
}

TEST_F(DeviceMemoryResourceTest, ReturnsAndSetsAttributes) {
    const DeviceMemoryResource pool(device, {});
    const MemoryPoolAttributes attributes = pool.attributes();
    EXPECT_TRUE(attributes.reuse_follow_event_dependencies());
    EXPECT_TRUE(attributes.reuse_allow_opportunistic());
    EXPECT_TRUE(attributes.reuse_allow_internal_dependencies());
    attributes.set_reuse_follow_event_dependencies(false);
    EXPECT_FALSE(attributes.reuse_follow_event_dependencies());
    attributes.set_reuse_allow_opportunistic(false);
    EXPECT_FALSE(attributes.reuse_allow_opportunistic());
    attributes.set_reuse_allow_internal_dependencies(false);
    EXPECT_FALSE(attributes.reuse_allow_internal_dependencies());
    EXPECT_FALSE(attributes.reuse_follow_event_dependencies());
    EXPECT_EQ(attributes.release_threshold(), max_threshold);

    Buffer buffer = pool.allocate(stream, 1000);
    EXPECT_EQ(attributes.used_mem_current(), 1000u);
    buffer.close();
    stream.synchronize();
    EXPECT_EQ(attributes.used_mem_current(), 0u);
    EXPECT_EQ(attributes.used_mem_high(), 1000u);
    EXPECT_EQ(attributes.reserved_mem_current(), 1000u);
    pool.trim(100);
    EXPECT_EQ(attributes.reserved_mem_current(), 100u);
    EXPECT_EQ(attributes.reserved_mem_high(), 1000u);
    attributes.reset_used_mem_high();
    attributes.reset_reserved_mem_high();
    EXPECT_EQ(attributes.used_mem_high(), 0u);
    EXPECT_EQ(attributes.reserved_mem_high(), 100u);
    pool.trim();
    EXPECT_EQ(attributes.reserved_mem_current(), 0u);
}

TEST_F(DeviceMemoryResourceTest, ReportsWhatThePoolWasCreatedWith) {
    const MemoryPoolAttributes shared = DeviceMemoryResource(Device(1), {.max_size = unit, .ipc_enabled = true}).attributes();
    EXPECT_EQ(shared.allocation_type(), AllocationType::pinned);
    EXPECT_EQ(shared.export_handle_types(), SharingHandle::posix_file_descriptor);
    EXPECT_EQ(shared.location(), MemoryLocation(Device(1)));
    EXPECT_EQ(shared.max_pool_size(), unit);
    EXPECT_FALSE(shared.hw_decompress_enabled());
    EXPECT_EQ(shared.locality_domain(), std::nullopt);
    const MemoryPoolAttributes plain = DeviceMemoryResource(device).attributes();
    EXPECT_EQ(plain.export_handle_types(), SharingHandle::none);
    EXPECT_EQ(plain.location(), MemoryLocation(device));
    EXPECT_EQ(plain.max_pool_size(), 0u);
    EXPECT_EQ(PinnedMemoryResource().attributes().location(), MemoryLocation(Host{}));
    EXPECT_EQ(PinnedMemoryResource({.numa_id = 0}).attributes().location(), MemoryLocation(Host{0}));
}

/// A driver without the attributes of CUDA 13.2.
class DeviceMemoryResourceOfOldDriverTest : public MemoryTest {
protected:
    DeviceMemoryResourceOfOldDriverTest() : MemoryTest({.release = "13.1"}) {}
};

TEST_F(DeviceMemoryResourceOfOldDriverTest, NamesTheReleaseOfAnAttribute) {
    const MemoryPoolAttributes attributes = DeviceMemoryResource(device).attributes();
    const auto expect = [](const std::function<void()>& query, const char* release) {
        EXPECT_THAT(message_of<Error>(query), AllOf(HasSubstr("cuMemPoolGetAttribute"), HasSubstr(release)));
    };
    expect([&] { (void)attributes.allocation_type(); }, "CUDA 13.2");
    expect([&] { (void)attributes.export_handle_types(); }, "CUDA 13.2");
    expect([&] { (void)attributes.location(); }, "CUDA 13.2");
    expect([&] { (void)attributes.max_pool_size(); }, "CUDA 13.2");
    expect([&] { (void)attributes.hw_decompress_enabled(); }, "CUDA 13.2");
    expect([&] { (void)attributes.locality_domain(); }, "CUDA 13.4");
    EXPECT_TRUE(attributes.reuse_allow_opportunistic());
}

TEST_F(DeviceMemoryResourceTest, CreatesAPoolWithALimit) {
    const DeviceMemoryResource pool(device, {.max_size = 1024, .release_threshold = 0});
    EXPECT_TRUE(pool.is_handle_owned());
    EXPECT_FALSE(pool == device.memory_resource());
    EXPECT_EQ(pool.attributes().release_threshold(), 0u);
    const Buffer buffer = pool.allocate(stream, 1000);
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).pool, pool.native_handle());
    const std::string message = message_of<OutOfMemory>([&] { (void)pool.allocate(stream, 100); });
    EXPECT_THAT(message, HasSubstr("the pool has 1000 bytes, of which 1000 are in use"));
    EXPECT_THAT(message, AllOf(HasSubstr("100 bytes were requested"), HasSubstr("at most 1024 bytes")));
    const std::string unlimited = message_of<OutOfMemory>([&] { (void)device.allocate(stream, std::size_t{1} << 40); });
    EXPECT_THAT(unlimited, ::testing::Not(HasSubstr("at most")));
}

TEST_F(DeviceMemoryResourceTest, OwnsANativeHandle) {
    driver::CUmemPoolProps properties{};
    properties.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    const driver::CUmemoryPool handle = check(driver::cuMemPoolCreate(&properties));
    { const auto pool = DeviceMemoryResource::from_native_handle(handle, device); }
    EXPECT_EQ(driver::cuMemPoolDestroy(handle).status, driver::CUDA_ERROR_INVALID_VALUE) << "the object has destroyed it";
    EXPECT_THROW((void)DeviceMemoryResource::from_native_handle(nullptr, device), std::invalid_argument);
}

TEST_F(DeviceMemoryResourceTest, GrantsAccessToOtherDevices) {
    const DeviceMemoryResource pool(device, {});
    EXPECT_THAT(pool.peer_accessible_by(), IsEmpty());
    pool.allow_peer_access(Device(1));
    EXPECT_THAT(pool.peer_accessible_by(), ElementsAre(Device(1)));
    pool.allow_peer_access(device);
    pool.forbid_peer_access(device);
    pool.set_peer_accessible_by({});
    EXPECT_THAT(pool.peer_accessible_by(), IsEmpty());
    pool.set_peer_accessible_by({Device(0), Device(1)});
    EXPECT_THAT(pool.peer_accessible_by(), ElementsAre(Device(1)));
    pool.forbid_peer_access(Device(1));
    EXPECT_THAT(pool.peer_accessible_by(), IsEmpty());
}

TEST_F(DeviceMemoryResourceTest, DoesNotAffectCaptures) {
    Capture capture(stream);
    std::thread([&] {
        const DeviceMemoryResource pool(Device(1), {});
        pool.trim();
        DeviceMemoryResource(Device(1)).trim();
    }).join();
    { const DeviceMemoryResource pool(device, {.max_size = 1024}); }
    EXPECT_THAT(capture.node_types(), IsEmpty()) << "the capture is still valid";
}

TEST_F(DeviceMemoryResourceTest, SuppliesAllocationsOfTheDevice) {
    const DeviceMemoryResource pool(Device(1), {});
    device.set_memory_resource(pool);
    EXPECT_EQ(device.memory_resource(), pool);
    EXPECT_EQ(device.allocate(stream, 16).memory_resource(), pool);
    EXPECT_FALSE(Device(1).memory_resource() == pool) << "only this device has the new resource";
    device.set_memory_resource(DeviceMemoryResource(device));
    EXPECT_EQ(device.memory_resource(), DeviceMemoryResource(device));
}

TEST_F(DeviceMemoryResourceTest, AllocatesInManyThreads) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([] {
            const Device other(1);
            const Stream stream_of_thread(other);
            for (int round = 0; round < 100; ++round) (void)other.allocate(stream_of_thread, 16);
            stream_of_thread.synchronize();
        });
    }
    for (auto& each : threads) each.join();
    EXPECT_EQ(used(Device(1)), 0u);
}

// ---- devices without pools -----------------------------------------------------------------------------------------------

/// Reports that devices have no pools.
class NoPools final : public layers::Layer {
public:
    void handle(const Call& call, const layers::Next& next) noexcept override {
        next(call);
        if (std::string_view(call.function.symbol) != "cuDeviceGetAttribute") return;
        const auto which = *static_cast<const driver::CUdevice_attribute*>(call.arguments[1]);
        if (which == driver::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) **static_cast<int* const*>(call.arguments[0]) = 0;
    }
};

class DeviceWithoutPoolsTest : public MemoryTest {
protected:
    DeviceWithoutPoolsTest() { layers::push(no_pools); }
    ~DeviceWithoutPoolsTest() override { layers::remove(no_pools); }
    NoPools no_pools;
};

TEST_F(DeviceWithoutPoolsTest, AllocatesSinglePieces) {
    EXPECT_THAT(message_of<Error>([&] { DeviceMemoryResource pool(device); }), HasSubstr("device 0 has no memory pools"));
    EXPECT_THROW(DeviceMemoryResource(device, {}), Error);
    EXPECT_THAT(message_of<Error>([&] { GraphMemoryResource memory(device); }), HasSubstr("device 0 has no memory pools"));
    const std::size_t free = device.memory_info().free;
    Buffer buffer = device.allocate(stream, 1024);
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).pool, nullptr);
    EXPECT_EQ(buffer.device(), device);
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_FALSE(buffer.is_host_accessible());
    EXPECT_EQ(device.memory_info().free, free - 1024);
    std::atomic<bool> is_done{false};
    stream.launch_host_function([&] { is_done = true; });
    buffer.close();
    EXPECT_TRUE(is_done) << "freeing waits for the stream";
    EXPECT_EQ(device.memory_info().free, free);
    const std::string message = message_of<OutOfMemory>([&] { (void)device.allocate(stream, std::size_t{1} << 40); });
    EXPECT_THAT(message, HasSubstr("1099511627776 bytes were requested; device 0 has"));
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(DeviceWithoutPoolsTest, ReportsEveryFailedCall) {
    // cubind::core has an alternative to these calls, or does not need their results.
    const std::vector<std::string> tolerated{"cuCtxGetDevice", "cuStreamIsCapturing"};
    sweep([&] { device.allocate(stream, 1024).close(); }, tolerated);
    sweep([&] { (void)device.allocate(stream, 1024); }, tolerated);
}

}  // namespace
}  // namespace cubind::testing
