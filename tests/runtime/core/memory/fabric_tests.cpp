// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <cstring>
#include <string_view>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

/// A stand-in for a machine with a fabric, which the simulated driver does not have. Memory of the fabric is memory with file
/// descriptors, and a fabric handle is the number of a descriptor.
class Fabric final : public layers::Layer {
public:
    Fabric() { layers::push(*this); }
    ~Fabric() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view name = call.function.symbol;
        if (name == "cuDeviceGetAttribute") {
            next(call);
            if (argument<driver::CUdevice_attribute>(call, 1) == driver::CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED)
                *argument<int*>(call, 0) = 1;
        } else if (name == "cuMemCreate") {
            create(call, next, argument<const driver::CUmemAllocationProp*>(call, 2));
        } else if (name == "cuMemGetAllocationGranularity") {
            create(call, next, argument<const driver::CUmemAllocationProp*>(call, 1));
        } else if (name == "cuMemExportToShareableHandle" && is_fabric(call, 2)) {
            export_memory(call);
        } else if (name == "cuMemImportFromShareableHandle" && is_fabric(call, 2)) {
            import_memory(call);
        } else if (name == "cuMemPoolCreate") {
            create_pool(call, next, argument<const driver::CUmemPoolProps*>(call, 1));
        } else if (name == "cuMemPoolExportToShareableHandle" && is_fabric(call, 2)) {
            with_descriptor_type(call, [&] { export_pool(call, next); });
        } else if (name == "cuMemPoolImportFromShareableHandle" && is_fabric(call, 2)) {
            with_descriptor_type(call, [&] { import_pool(call, next); });
        } else {
            next(call);
        }
    }

    driver::CUresult refusal = driver::CUDA_SUCCESS;  ///< of memory with fabric handles

private:
    template <class Type>
    static Type& argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }
    static bool is_fabric(const Call& call, std::size_t index) {
        return argument<driver::CUmemAllocationHandleType>(call, index) == driver::CU_MEM_HANDLE_TYPE_FABRIC;
    }
    void create(const Call& call, const layers::Next& next, const driver::CUmemAllocationProp*& properties) const {
        const driver::CUmemAllocationProp* const given = properties;
        driver::CUmemAllocationProp changed = *given;
        const bool is_of_fabric = (changed.requestedHandleTypes & driver::CU_MEM_HANDLE_TYPE_FABRIC) != 0;
        if (is_of_fabric) changed.requestedHandleTypes = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        if (is_of_fabric && refusal != driver::CUDA_SUCCESS && std::string_view(call.function.symbol) == "cuMemCreate") {
            call.status() = static_cast<int>(refusal);
            return;
        }
        properties = &changed;
        next(call);
        properties = given;
    }
    static void export_memory(const Call& call) {
        const layers::Unobserved unobserved;
        int descriptor = -1;
        const auto exported =
            driver::cuMemExportToShareableHandle(&descriptor, argument<driver::CUmemGenericAllocationHandle>(call, 1),
                                                 driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
        call.status() = static_cast<int>(exported.status);
        std::memcpy(argument<void*>(call, 0), &descriptor, sizeof descriptor);
        if (descriptor >= 0) opened_.push_back(FileDescriptor::from_native_handle(descriptor));
    }
    static void import_memory(const Call& call) {
        const layers::Unobserved unobserved;
        int descriptor = -1;
        std::memcpy(&descriptor, argument<void*>(call, 1), sizeof descriptor);
        const auto imported = driver::cuMemImportFromShareableHandle(
            reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        *argument<driver::CUmemGenericAllocationHandle*>(call, 0) = imported.value;
        call.status() = static_cast<int>(imported.status);
    }

    static void create_pool(const Call& call, const layers::Next& next, const driver::CUmemPoolProps*& properties) {
        const driver::CUmemPoolProps* const given = properties;
        driver::CUmemPoolProps changed = *given;
        if (changed.handleTypes == driver::CU_MEM_HANDLE_TYPE_FABRIC)
            changed.handleTypes = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        properties = &changed;
        next(call);
        properties = given;
    }
    template <class Function>
    static void with_descriptor_type(const Call& call, const Function& function) {
        auto& type = argument<driver::CUmemAllocationHandleType>(call, 2);
        type = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
        function();
        type = driver::CU_MEM_HANDLE_TYPE_FABRIC;
    }
    static void export_pool(const Call& call, const layers::Next& next) {
        void*& handle = argument<void*>(call, 0);
        void* const given = handle;
        int descriptor = -1;
        handle = &descriptor;
        next(call);
        handle = given;
        std::memcpy(given, &descriptor, sizeof descriptor);
        if (descriptor >= 0) opened_.push_back(FileDescriptor::from_native_handle(descriptor));
    }
    static void import_pool(const Call& call, const layers::Next& next) {
        void*& handle = argument<void*>(call, 1);
        void* const given = handle;
        int descriptor = -1;
        std::memcpy(&descriptor, given, sizeof descriptor);
        handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
        next(call);
        handle = given;
    }

    static inline std::vector<FileDescriptor> opened_;
};

class FabricTest : public MemoryTest {};

TEST_F(FabricTest, SharesMemoryByBytes) {
    const Fabric fabric;
    const VirtualMemoryResource memory(device, {.sharing = SharingHandle::fabric});
    VirtualBuffer buffer(memory, stream, 16, {.reserve_size = 4 * unit});
    buffer.grow(2 * unit);
    fill(stream, buffer, 5);
    stream.synchronize();
    const ExportedMemory exported = buffer.export_memory();
    EXPECT_EQ(exported.kind, SharingHandle::fabric);
    ASSERT_THAT(exported.parts, SizeIs(2));
    EXPECT_TRUE(exported.parts.front().descriptor.is_closed());
    EXPECT_NE(exported.parts.front().fabric, FabricHandle{});
    EXPECT_NE(exported.parts.front().fabric, exported.parts.back().fabric);

    const std::vector<std::byte> bytes = to_bytes(exported);
    const ExportedMemory received = memory_from_bytes(bytes);
    EXPECT_EQ(received.id, exported.id);
    EXPECT_EQ(received.size, 2 * unit);
    EXPECT_EQ(received.reserved_size, 4 * unit);
    const VirtualBuffer imported = VirtualBuffer::import_memory(device, stream, received);
    EXPECT_NE(imported.native_handle(), buffer.native_handle());
    int value = 0;
    copy(stream, value, imported.bytes().span<int>().last(1));
    stream.synchronize();
    EXPECT_EQ(value, 5);

    expect_misuse([&] { (void)buffer.export_memory(SharingHandle::posix_file_descriptor); }, "posix_file_descriptor");
    expect_misuse([&] { (void)memory_from_bytes(std::span(bytes).first(bytes.size() - 1)); }, std::to_string(bytes.size() - 1));
    expect_misuse([&] { (void)memory_from_bytes(std::span(bytes).first(3)); }, "3 bytes");
    expect_misuse([&] { send_memory(-1, exported); }, "to_bytes()");
}

TEST_F(FabricTest, SharesMemoryByBothKinds) {
    const Fabric fabric;
    constexpr SharingHandle both = SharingHandle::posix_file_descriptor | SharingHandle::fabric;
    const VirtualBuffer buffer(VirtualMemoryResource(device, {.sharing = both}), stream, 16);
    EXPECT_EQ(buffer.export_memory().kind, SharingHandle::posix_file_descriptor);
    EXPECT_EQ(buffer.export_memory(SharingHandle::fabric).kind, SharingHandle::fabric);
    expect_misuse([&] { (void)buffer.export_memory(both); }, "one kind", "9");
    expect_misuse([&] { (void)buffer.export_memory(SharingHandle::none); }, "one kind", "0");
    expect_misuse([&] { (void)to_bytes(buffer.export_memory()); }, "send_memory()");
    expect_misuse([&] { VirtualMemoryResource memory(device, {.sharing = static_cast<SharingHandle>(2)}); }, "SharingHandle",
                  "2");
}

TEST_F(FabricTest, IsRefusedWithoutAFabric) {
    EXPECT_THAT(message_of<Error>([&] { VirtualMemoryResource memory(device, {.sharing = SharingHandle::fabric}); }),
                HasSubstr("HANDLE_TYPE_FABRIC_SUPPORTED"));
    ExportedMemory foreign{{1, 2}, 16, unit};
    foreign.kind = SharingHandle::fabric;
    foreign.parts.push_back({FileDescriptor(), unit, {}});
    EXPECT_THAT(message_of<Error>([&] { (void)VirtualBuffer::import_memory(device, stream, foreign); }),
                AllOf(HasSubstr("cuMemImportFromShareableHandle"), HasSubstr("IMEX")));
}

// ---- pools ---------------------------------------------------------------------------------------------------------------

TEST_F(FabricTest, SharesPoolsByBytes) {
    const Fabric fabric;
    DeviceMemoryResource pool(device, {.sharing = SharingHandle::fabric});
    EXPECT_TRUE(pool.is_ipc_enabled());
    Buffer buffer = pool.allocate(stream, 64);
    fill(stream, buffer, 5);
    stream.synchronize();
    const IpcAllocationHandle exported = pool.allocation_handle();
    EXPECT_EQ(exported.kind, SharingHandle::fabric);
    EXPECT_TRUE(exported.descriptor.is_closed());
    EXPECT_NE(exported.fabric, FabricHandle{});

    const std::vector<std::byte> bytes = to_bytes(exported);
    IpcAllocationHandle received = allocation_handle_from_bytes(bytes);
    EXPECT_EQ(received.uuid, pool.uuid());
    EXPECT_EQ(received.fabric, exported.fabric);
    EXPECT_EQ(DeviceMemoryResource::from_allocation_handle(device, received), pool) << "this process has the pool";
    received.uuid = {};  // acts as a pool of another machine
    const DeviceMemoryResource opened = DeviceMemoryResource::from_allocation_handle(device, received);
    EXPECT_TRUE(opened.is_mapped());
    const Buffer mapped = Buffer::from_ipc_descriptor(stream, opened, buffer.ipc_descriptor());
    int value = 0;
    copy(stream, value, mapped.span<int>().last(1));
    stream.synchronize();
    EXPECT_EQ(value, 5);

    expect_misuse([&] { (void)pool.allocation_handle(SharingHandle::posix_file_descriptor); }, "SharingHandle 8", "as 1",
                  ".sharing");
    expect_misuse([&] { (void)allocation_handle_from_bytes(std::span(bytes).first(bytes.size() - 1)); },
                  std::to_string(bytes.size() - 1));
    expect_misuse([&] { send_allocation_handle(-1, exported); }, "to_bytes()");
    sweep([&] { (void)pool.allocation_handle(); });
    sweep([&] { (void)DeviceMemoryResource::from_allocation_handle(device, received); });
}

TEST_F(FabricTest, SharesPoolsByBothKinds) {
    DeviceMemoryResource pool(device, {.ipc_enabled = true, .sharing = SharingHandle::fabric});
    const IpcAllocationHandle exported = pool.allocation_handle();
    EXPECT_EQ(exported.kind, SharingHandle::posix_file_descriptor);
    EXPECT_FALSE(exported.descriptor.is_closed());
    expect_misuse([&] { (void)to_bytes(exported); }, "send_allocation_handle()");
    constexpr SharingHandle both = SharingHandle::posix_file_descriptor | SharingHandle::fabric;
    expect_misuse([&] { (void)pool.allocation_handle(both); }, "one kind", "9");
    expect_misuse([&] { DeviceMemoryResource wrong(device, {.sharing = static_cast<SharingHandle>(2)}); }, "SharingHandle", "2");
    expect_misuse([&] { PinnedMemoryResource pinned({.sharing = SharingHandle::fabric}); }, "numa_id");
    EXPECT_TRUE(PinnedMemoryResource({.numa_id = 0, .sharing = SharingHandle::posix_file_descriptor}).is_ipc_enabled());
}

TEST_F(FabricTest, ExplainsWhyAPoolHasNoFabricHandle) {
    const DeviceMemoryResource pool(device, {.sharing = SharingHandle::fabric});  // the driver knows the handles
    EXPECT_THAT(message_of<Error>([&] { (void)pool.allocation_handle(); }),
                AllOf(HasSubstr("cuMemPoolExportToShareableHandle"), HasSubstr("IMEX")));
    IpcAllocationHandle foreign;
    foreign.kind = SharingHandle::fabric;
    EXPECT_THAT(message_of<Error>([&] { (void)DeviceMemoryResource::from_allocation_handle(device, foreign); }),
                AllOf(HasSubstr("cuMemPoolImportFromShareableHandle"), HasSubstr("IMEX")));
}

// ---- memory for libraries of communication -------------------------------------------------------------------------------

TEST_F(FabricTest, IsNoPartOfMemoryForCommunicationWhereThereIsNone) {
    const VirtualMemoryResource plain = VirtualMemoryResource::for_communication(device);
    EXPECT_EQ(plain.location(), MemoryLocation(device));
    EXPECT_EQ(plain.options().sharing, SharingHandle::posix_file_descriptor);
    EXPECT_TRUE(plain.options().gpu_direct_rdma);
    EXPECT_THAT(plain.options().peers, ElementsAre(Device(1)));
    const Buffer buffer = plain.allocate(stream, 1);
    EXPECT_EQ(Device(1).memory_info().free, Device(1).memory_info().total);
}

TEST_F(FabricTest, IsPartOfMemoryForCommunicationWhereThereIsOne) {
    Fabric fabric;
    EXPECT_EQ(VirtualMemoryResource::for_communication(Device(1)).options().sharing,
              SharingHandle::posix_file_descriptor | SharingHandle::fabric);
    const std::size_t before = Device(1).memory_info().free;
    for (const auto refusal : {driver::CUDA_ERROR_NOT_PERMITTED, driver::CUDA_ERROR_NOT_SUPPORTED}) {
        fabric.refusal = refusal;
        EXPECT_EQ(VirtualMemoryResource::for_communication(Device(1)).options().sharing, SharingHandle::posix_file_descriptor)
            << "the driver knows the handles, but this process may not use them";
    }
    EXPECT_EQ(Device(1).memory_info().free, before);
    fabric.refusal = driver::CUDA_ERROR_UNKNOWN;
    EXPECT_THROW((void)VirtualMemoryResource::for_communication(Device(1)), Error);
}

}  // namespace
}  // namespace cubind::testing
