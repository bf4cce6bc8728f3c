// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

driver::CUmemAllocationProp properties_of(driver::CUdeviceptr address) {
    const auto memory = check(driver::cuMemRetainAllocationHandle(reinterpret_cast<void*>(address)));
    const auto properties = check(driver::cuMemGetAllocationPropertiesFromHandle(memory));
    check(driver::cuMemRelease(memory));
    return properties;
}

unsigned long long access_of(const driver::CUmemLocation& location, driver::CUdeviceptr address) {
    return check(driver::cuMemGetAccess(&location, address));
}

class VirtualMemoryResourceTest : public MemoryTest {};

TEST_F(VirtualMemoryResourceTest, AllocatesMemoryOfItsDevice) {
    const VirtualMemoryResource memory(Device(1));
    EXPECT_EQ(memory.device(), Device(1));
    EXPECT_EQ(memory.location(), MemoryLocation(Device(1)));
    EXPECT_EQ(memory.granularity(), unit);
    EXPECT_TRUE(memory.is_device_accessible());
    EXPECT_FALSE(memory.is_host_accessible());
    const Stream there{Device(1)};
    const std::size_t before = Device(1).memory_info().free;
    Buffer buffer = memory.allocate(there, unit + 1);
    EXPECT_EQ(buffer.size(), unit + 1);
    EXPECT_EQ(Device(1).memory_info().free, before - 2 * unit);
    const std::vector<int> values{1, 2, 3};
    std::vector<int> results(3);
    copy(there, buffer, values);
    copy(there, results, buffer.span<std::byte>().first(12));
    there.synchronize();
    EXPECT_EQ(results, values);
    buffer.close();
    EXPECT_EQ(Device(1).memory_info().free, before);
}

TEST_F(VirtualMemoryResourceTest, FreesAfterTheWorkOfTheStream) {
    Buffer buffer = VirtualMemoryResource(device).allocate(stream, unit);
    std::atomic<bool> is_done{false};
    stream.launch_host_function([&] { is_done = true; });
    buffer.close();
    EXPECT_TRUE(is_done);
}

TEST_F(VirtualMemoryResourceTest, GrantsAccessToPeers) {
    const VirtualMemoryResource memory(device, {.peers = {Device(1), device}});
    const Buffer buffer = memory.allocate(stream, 16);
    EXPECT_EQ(access_of(MemoryLocation(Device(1)).native(), buffer.native_handle()), 3u);
    const Buffer own = VirtualMemoryResource(device).allocate(stream, 16);
    EXPECT_EQ(access_of(MemoryLocation(Device(0)).native(), own.native_handle()), 3u);
    EXPECT_EQ(access_of(MemoryLocation(Device(1)).native(), own.native_handle()), 0u);
}

TEST_F(VirtualMemoryResourceTest, AllocatesMemoryOfTheHost) {
    for (const Host host : {Host{}, Host{0}}) {
        const VirtualMemoryResource memory(host);
        EXPECT_EQ(memory.device(), std::nullopt);
        EXPECT_TRUE(memory.is_host_accessible());
        Buffer buffer = memory.allocate(stream, 16);
        EXPECT_EQ(access_of(MemoryLocation(host).native(), buffer.native_handle()), 3u);
        EXPECT_EQ(access_of(MemoryLocation(Device(0)).native(), buffer.native_handle()), 3u);
        EXPECT_EQ(access_of(MemoryLocation(Device(1)).native(), buffer.native_handle()), 3u);
        fill(stream, buffer.span<int>(), 7);
        stream.synchronize();
        EXPECT_THAT(buffer.span<int>(), ElementsAre(7, 7, 7, 7));
    }
    const Buffer limited = VirtualMemoryResource(Host{}, {.peers = {Device(1)}}).allocate(stream, 16);
    EXPECT_EQ(access_of(MemoryLocation(Device(0)).native(), limited.native_handle()), 0u);
}

TEST_F(VirtualMemoryResourceTest, PassesOnItsOptions) {
    const VirtualMemoryResource memory(device, {.granularity = MemoryGranularity::minimum,
                                                .sharing = SharingHandle::posix_file_descriptor,
                                                .compressible = true,
                                                .gpu_direct_rdma = true,
                                                .address_alignment = 32 * unit});
    EXPECT_TRUE(memory.options().compressible);
    const Buffer first = memory.allocate(stream, 1), second = memory.allocate(stream, 1, 64 * unit);
    EXPECT_EQ(first.native_handle() % (32 * unit), 0u);
    EXPECT_EQ(second.native_handle() % (64 * unit), 0u);
    const auto properties = properties_of(first.native_handle());
    EXPECT_EQ(properties.requestedHandleTypes, driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    EXPECT_EQ(properties.allocFlags.compressionType, driver::CU_MEM_ALLOCATION_COMP_GENERIC);
    EXPECT_EQ(properties.allocFlags.gpuDirectRDMACapable, 1);
}

/// Records the address hint of the latest reservation.
class Reservations final : public layers::Layer {
public:
    Reservations() { layers::push(*this); }
    ~Reservations() { layers::remove(*this); }
    void handle(const Call& call, const layers::Next& next) noexcept override {
        if (std::string_view(call.function.symbol) == "cuMemAddressReserve")
            hint = *static_cast<driver::CUdeviceptr*>(call.arguments[3]);
        next(call);
    }
    driver::CUdeviceptr hint = 0;
};

TEST_F(VirtualMemoryResourceTest, AsksForAnAddress) {
    const Reservations reservations;
    constexpr driver::CUdeviceptr hint = std::uint64_t{1} << 44;
    const Buffer buffer = VirtualMemoryResource(device, {.address_hint = hint}).allocate(stream, 16);
    EXPECT_EQ(reservations.hint, hint);
    const Buffer other = VirtualMemoryResource(device).allocate(stream, 16);
    EXPECT_EQ(reservations.hint, 0u);
}

TEST_F(VirtualMemoryResourceTest, IsNotManagedWhereTheDriverRefuses) {
    const VirtualMemoryResource managed(device, {.allocation_type = AllocationType::managed});
    EXPECT_TRUE(managed.is_managed());
    EXPECT_TRUE(managed.is_host_accessible());
    EXPECT_THAT(message_of<Error>([&] { (void)managed.allocate(stream, 16); }),
                AllOf(HasSubstr("cuMemCreate"), HasSubstr("ManagedMemoryResource")));
    EXPECT_FALSE(VirtualMemoryResource(device).is_managed());
}

TEST_F(VirtualMemoryResourceTest, RejectsInvalidRequests) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)VirtualMemoryResource(Host::numa_current()); }),
                HasSubstr("numa_id"));
    expect_misuse([&] { VirtualMemoryResource memory(device, {.address_alignment = 3}); }, "3");
    const VirtualMemoryResource memory(device);
    expect_misuse([&] { (void)memory.allocate(stream, ~std::size_t{0}); }, "18446744073709551615");
    EXPECT_THROW((void)memory.allocate(stream, std::size_t{2} << 30), OutOfMemory) << "the device has 1 GiB";
    EXPECT_THROW((void)memory.allocate(stream, std::size_t{1} << 60), OutOfMemory) << "there are fewer addresses";
    EXPECT_EQ(Device(0).memory_info().free, Device(0).memory_info().total);
    expect_misuse([&] { memory.base()->deallocate(stream, 4096, 1, 1); }, "4096");
}

// Drivers of CUDA 12.0 have virtual memory of devices only.
class OldVirtualMemoryTest : public MemoryTest {
protected:
    OldVirtualMemoryTest() : MemoryTest({.release = "12.0"}) {}
};

TEST_F(OldVirtualMemoryTest, RejectsUnsupportedFeatures) {
    EXPECT_THAT(message_of<Error>([&] { VirtualMemoryResource memory(device, {.sharing = SharingHandle::fabric}); }),
                AllOf(HasSubstr("HANDLE_TYPE_FABRIC_SUPPORTED"), HasSubstr("12.3"), HasSubstr("device 0")));
    EXPECT_THAT(message_of<Error>([] { VirtualMemoryResource memory(Host{}); }), HasSubstr("13.0"));
    EXPECT_THAT(message_of<Error>([] { VirtualMemoryResource memory(Host{0}); }), HasSubstr("12.9"));
    EXPECT_EQ(VirtualMemoryResource(device, {.compressible = true}).allocate(stream, 16).size(), 16u);
}

TEST_F(VirtualMemoryResourceTest, DoesNotAffectCaptures) {
    Capture capture(stream);
    const VirtualMemoryResource memory(device);
    Buffer buffer = memory.allocate(stream, 16);
    buffer.close();
    VirtualBuffer growing(memory, stream, 16);
    growing.grow(2 * unit);
    growing.set_access(Device(1), MemoryAccess::read);
    growing.close();
    EXPECT_THAT(capture.node_types(), IsEmpty());
}

}  // namespace
}  // namespace cubind::testing
