// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/managed_memory.hpp>
#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class ManagedMemoryTest : public MemoryTest {
protected:
    explicit ManagedMemoryTest(const sim::Options& options = {.devices = 2}) : MemoryTest(options) {}

    ManagedMemoryResource managed;
    Buffer buffer = managed.allocate(stream, 8192);
    ManagedMemory memory{buffer};
};

TEST_F(ManagedMemoryTest, IsAccessibleToHostAndDevice) {
    EXPECT_TRUE(managed.has_pool());
    EXPECT_TRUE(buffer.is_managed());
    EXPECT_TRUE(buffer.is_host_accessible());
    EXPECT_TRUE(buffer.is_device_accessible());
    EXPECT_EQ(buffer.device(), std::nullopt);
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).kind, MemoryType::managed);
    buffer.span<int>()[0] = 5;
    EXPECT_TRUE(Buffer::view_of(buffer.native_handle(), 16).is_managed());
}

TEST_F(ManagedMemoryTest, IsAPool) {
    EXPECT_TRUE(managed.is_handle_owned());
    EXPECT_EQ(PointerAttributes::of(buffer.native_handle()).pool, managed.native_handle());
    EXPECT_EQ(managed.preferred_location(), std::nullopt);
    const MemoryPoolAttributes attributes = managed.attributes();
    EXPECT_EQ(attributes.allocation_type(), AllocationType::managed);
    EXPECT_EQ(attributes.export_handle_types(), SharingHandle::none);
    EXPECT_EQ(attributes.location(), std::nullopt);
    EXPECT_EQ(attributes.used_mem_current(), 8192u);
    attributes.set_release_threshold(std::uint64_t{1} << 20);
    buffer.close();
    stream.synchronize();
    EXPECT_EQ(attributes.reserved_mem_current(), 8192u);
    managed.trim(4096);
    EXPECT_EQ(attributes.reserved_mem_current(), 4096u);
    managed.trim();
    EXPECT_EQ(attributes.reserved_mem_current(), 0u);

    const ManagedMemoryResource preferred({.preferred_location = Device(1)});
    EXPECT_EQ(preferred.preferred_location(), MemoryLocation(Device(1)));
    EXPECT_EQ(preferred.attributes().location(), MemoryLocation(Device(1)));
    sweep([&] { managed.trim(); });
}

TEST_F(ManagedMemoryTest, StoresAdvice) {
    EXPECT_FALSE(memory.read_mostly());
    memory.set_read_mostly(true);
    EXPECT_TRUE(memory.read_mostly());
    memory.set_read_mostly(false);
    EXPECT_FALSE(memory.read_mostly());

    EXPECT_EQ(memory.preferred_location(), std::nullopt);
    memory.set_preferred_location(Device(1));
    EXPECT_EQ(memory.preferred_location()->device(), Device(1));
    EXPECT_EQ(memory.preferred_location()->host(), std::nullopt);
    memory.set_preferred_location(Host{});
    EXPECT_EQ(memory.preferred_location()->host(), Host{});
    memory.set_preferred_location(Host{0});
    EXPECT_EQ(memory.preferred_location(), std::nullopt) << "drivers ignore a preference for a NUMA node";
    memory.set_preferred_location(std::nullopt);
    EXPECT_EQ(memory.preferred_location(), std::nullopt);

    EXPECT_THAT(memory.accessed_by(), IsEmpty());
    memory.add_accessed_by(Device(1));
    memory.set_accessed_by({device, Host{}});
    EXPECT_THAT(memory.accessed_by(), ::testing::UnorderedElementsAre(MemoryLocation(device), MemoryLocation(Host{})));
    memory.remove_accessed_by(device);
    EXPECT_THAT(memory.accessed_by(), ElementsAre(MemoryLocation(Host{})));
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ManagedMemoryTest, AppliesAdviceToAPart) {
    const ManagedMemory second(buffer.span<std::byte>().subspan(4096));
    second.set_read_mostly(true);
    EXPECT_TRUE(second.read_mostly());
    EXPECT_FALSE(memory.read_mostly()) << "the parts have different advice";
}

TEST_F(ManagedMemoryTest, Prefetches) {
    EXPECT_EQ(memory.last_prefetch_location(), std::nullopt);
    prefetch(stream, buffer, Device(1));
    stream.synchronize();
    EXPECT_EQ(memory.last_prefetch_location(), MemoryLocation(Device(1)));
    prefetch(stream, buffer.span<float>(), Host{});
    stream.synchronize();
    EXPECT_EQ(memory.last_prefetch_location(), MemoryLocation(Host{}));
    memory.discard(stream);
    memory.discard_prefetch(stream, device);
    stream.synchronize();
    EXPECT_EQ(memory.last_prefetch_location(), MemoryLocation(device));
}

TEST_F(ManagedMemoryTest, RejectsOtherMemory) {
    const Buffer plain = device.allocate(stream, 16);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { prefetch(stream, plain, device); }),
                HasSubstr("memory that is not managed"));
    EXPECT_THROW(ManagedMemory(plain).set_read_mostly(true), std::invalid_argument);
    EXPECT_THROW((void)ManagedMemory(plain).accessed_by(), std::invalid_argument);
    EXPECT_THROW((void)ManagedMemory(plain).preferred_location(), std::invalid_argument);
    EXPECT_THROW(ManagedMemory(plain).discard(stream), std::invalid_argument);
    Stream closed = std::move(stream);
    EXPECT_THROW(memory.prefetch(stream, device), std::invalid_argument);
    buffer.close(closed);
    EXPECT_THROW(prefetch(closed, buffer, device), std::invalid_argument);
    EXPECT_THROW((void)MemoryLocation(LocalityDomain{device, -1}), std::invalid_argument);
    EXPECT_THROW((void)MemoryLocation(LocalityDomain{device, 256}), std::invalid_argument);
    driver::CUmemLocation nowhere{};
    EXPECT_THROW((void)MemoryLocation(nowhere), std::invalid_argument);
}

TEST_F(ManagedMemoryTest, SaysWhyACaptureCannotAllocateIt) {
    PinnedMemoryResource pinned;
    const auto message_in_capture = [&](auto& resource) {
        GraphBuilder builder(device);
        builder.begin_building();
        return message_of<Error>([&] { (void)resource.allocate(builder, 64); });
    };
    for (const std::string& message : {message_in_capture(managed), message_in_capture(pinned)}) {
        EXPECT_THAT(message, AllOf(HasSubstr("CUDA_ERROR_NOT_SUPPORTED"), HasSubstr("is being captured")));
    }
    EXPECT_THAT(message_of<Error>([&] { (void)managed.allocate(stream, std::size_t{1} << 60); }), Not(HasSubstr("captured")));
}

TEST_F(ManagedMemoryTest, IgnoresZeroBytes) {
    const Buffer empty = managed.allocate(stream, 0);
    const ManagedMemory none(empty);
    none.prefetch(stream, device);
    none.discard(stream);
    none.discard_prefetch(stream, device);
    none.set_read_mostly(true);
    EXPECT_FALSE(none.read_mostly());
    EXPECT_EQ(none.preferred_location(), std::nullopt);
    EXPECT_THAT(none.accessed_by(), IsEmpty());
}

TEST_F(ManagedMemoryTest, NamesALocalityDomain) {
    const LocalityDomain domain{Device(1), 3};
    const MemoryLocation location(domain);
    EXPECT_EQ(location.native().type, driver::CU_MEM_LOCATION_TYPE_DEVICE_LOCALITY_DOMAIN);
    EXPECT_EQ(location.native().localized.deviceId, 1);
    EXPECT_EQ(location.native().localized.localityDomainId, 3);
    EXPECT_EQ(location.device(), Device(1));
    EXPECT_EQ(location.locality_domain(), domain);
    EXPECT_EQ(location.host(), std::nullopt);
    EXPECT_EQ(MemoryLocation(location.native()), location);
    EXPECT_NE(location, MemoryLocation(Device(1)));
    EXPECT_NE(location, MemoryLocation(LocalityDomain{Device(1), 2}));
    EXPECT_EQ(MemoryLocation(Device(1)).locality_domain(), std::nullopt);
    EXPECT_EQ(MemoryLocation(Host{}).locality_domain(), std::nullopt);
}

/// A driver without pools of managed memory that identifies locations by numbers.
class ManagedMemoryWithoutPoolsTest : public ManagedMemoryTest {
protected:
    ManagedMemoryWithoutPoolsTest() : ManagedMemoryTest({.devices = 2, .release = "12.0"}) {}
};

TEST_F(ManagedMemoryWithoutPoolsTest, AllocatesSinglePieces) {
    EXPECT_FALSE(managed.has_pool());
    EXPECT_FALSE(managed.is_handle_owned());
    EXPECT_EQ(managed.native_handle(), nullptr);
    EXPECT_THAT(message_of<Error>([&] { (void)managed.attributes(); }), AllOf(HasSubstr("no pool"), HasSubstr("CUDA 13.0")));
    layers::faults::start();
    managed.trim();
    EXPECT_EQ(layers::faults::calls("cuMemPoolTrimTo"), 0u);
    layers::faults::stop();
    EXPECT_TRUE(buffer.is_managed());
    EXPECT_TRUE(buffer.is_host_accessible());
    buffer.span<int>()[0] = 5;
    const Buffer preferred = ManagedMemoryResource({.preferred_location = Device(1)}).allocate(stream, 16);
    EXPECT_EQ(ManagedMemory(preferred).preferred_location(), MemoryLocation(Device(1)));
    EXPECT_EQ(ManagedMemoryResource({.preferred_location = Device(1)}).preferred_location(), MemoryLocation(Device(1)));
    EXPECT_THROW((void)managed.allocate(stream, ~std::size_t{0}), Error);
}

TEST_F(ManagedMemoryWithoutPoolsTest, StoresAdvice) {
    memory.set_preferred_location(Host{});
    EXPECT_EQ(memory.preferred_location(), MemoryLocation(Host{}));
    memory.prefetch(stream, device);
    stream.synchronize();
    EXPECT_EQ(memory.last_prefetch_location(), MemoryLocation(device));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { memory.set_preferred_location(Host{0}); }), HasSubstr("CUDA 12.2"));
    EXPECT_THAT(message_of<Error>([&] { memory.discard(stream); }), HasSubstr("13.0"));
}

TEST_F(ManagedMemoryWithoutPoolsTest, ReportsEveryFailedCall) {
    sweep([&] { (void)ManagedMemoryResource({.preferred_location = Device(1)}).allocate(stream, 16); },
          {"cuStreamIsCapturing", "cuDriverGetVersion", "cuCtxGetDevice"});
}

}  // namespace
}  // namespace cubind::testing
