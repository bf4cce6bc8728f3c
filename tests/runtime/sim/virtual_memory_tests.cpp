// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

#include <unistd.h>

namespace cubind::testing {
namespace {

class SimVirtualMemory : public SimTest {
protected:
    static constexpr std::size_t unit = std::size_t{2} << 20;

    static CUmemAllocationProp on_device(int ordinal = 0) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = ordinal;
        return properties;
    }
    static CUmemGenericAllocationHandle create(std::size_t bytes) {
        const CUmemAllocationProp properties = on_device();
        auto [status, handle] = cuMemCreate(bytes, &properties, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return handle;
    }
    static CUdeviceptr reserve(std::size_t bytes) {
        auto [status, address] = cuMemAddressReserve(bytes, 0, 0, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return address;
    }
    static CUresult allow(CUdeviceptr address, std::size_t bytes, CUmemAccess_flags flags, int ordinal = 0) {
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access.location.id = ordinal;
        access.flags = flags;
        return cuMemSetAccess(address, bytes, &access, 1).status;
    }
    static std::size_t free_memory() { return cuMemGetInfo().value1; }
};

TEST_F(SimVirtualMemory, ComesInUnits) {
    const CUmemAllocationProp properties = on_device();
    EXPECT_EQ(cuMemGetAllocationGranularity(&properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM).value, unit);
    EXPECT_EQ(cuMemGetAllocationGranularity(&properties, static_cast<CUmemAllocationGranularity_flags>(2)).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAllocationGranularity(nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(unit + 1, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(0, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(unit, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(unit, &properties, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(std::size_t{1} << 45, &properties, 0).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAddressReserve(unit + 1, 0, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(0, 0, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(unit, 3, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(std::size_t{1} << 60, 0, 0, 0).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAddressReserve(unit, std::size_t{64} << 20, 0, 0).value % (std::size_t{64} << 20), 0u);
}

TEST_F(SimVirtualMemory, WrongPropertiesAreRefused) {
    const CUmemAllocationProp nowhere = on_device(99);
    EXPECT_EQ(cuMemCreate(unit, &nowhere, 0).status, CUDA_ERROR_INVALID_DEVICE);
    CUmemAllocationProp properties = on_device();
    properties.type = static_cast<CUmemAllocationType>(7);
    EXPECT_EQ(cuMemCreate(unit, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties = on_device();
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    EXPECT_EQ(cuMemCreate(unit, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties = on_device();
    properties.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    EXPECT_EQ(cuMemCreate(unit, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    EXPECT_EQ(cuMemCreate(unit, &properties, 0).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemory, OneMemoryAtTwoAddresses) {
    const CUmemGenericAllocationHandle memory = create(2 * unit);
    const CUdeviceptr a = reserve(2 * unit);
    const CUdeviceptr b = reserve(2 * unit);
    ASSERT_EQ(cuMemMap(a, 2 * unit, 0, memory, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemMap(b, 2 * unit, 0, memory, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(allow(a, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    ASSERT_EQ(allow(b, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(a + unit, 0x12345678, 1).status, CUDA_SUCCESS);
    std::uint32_t found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, b + unit, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 0x12345678u);
    EXPECT_EQ(cuMemcpyHtoD(b, &found, 4).status, CUDA_ERROR_INVALID_VALUE) << "for reading only";
}

TEST_F(SimVirtualMemory, AccessHasToBeAllowed) {
    const CUdeviceptr address = reserve(unit);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "nothing there";
    EXPECT_EQ(cuMemMap(address, unit, 0, create(unit), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "nobody may";
    CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, {0}};
    EXPECT_EQ(cuMemGetAccess(&here, address).value, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    EXPECT_EQ(allow(address, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "the other device may";
    EXPECT_EQ(allow(address, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, unit).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, unit + 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAccess(&here, address).value, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT_EQ(allow(address, unit, static_cast<CUmemAccess_flags>(2)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_NE(allow(address, unit, CU_MEM_ACCESS_FLAGS_PROT_READ, 99), CUDA_SUCCESS);
    EXPECT_EQ(allow(address + 1, unit, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemSetAccess(address, unit, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAccess(&here, 4096).status, CUDA_ERROR_INVALID_VALUE);
    here.id = 99;
    EXPECT_NE(cuMemGetAccess(&here, address).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemory, MappingsSideBySideAreOneRange) {
    const CUdeviceptr address = reserve(3 * unit);
    EXPECT_EQ(cuMemMap(address, unit, 0, create(unit), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(address + unit, unit, 0, create(unit), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(allow(address, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 3, 2 * unit).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address + unit - 2, 3, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 3, 2 * unit + 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(allow(address + unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address + unit - 2, 3, 4).status, CUDA_ERROR_INVALID_VALUE) << "the second half may only be read";
    EXPECT_EQ(cuMemUnmap(address, 2 * unit).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemory, OnlyWhatIsMappedAsAWholeIsUnmapped) {
    const CUdeviceptr address = reserve(4 * unit);
    const CUmemGenericAllocationHandle memory = create(2 * unit);
    EXPECT_EQ(cuMemMap(address, unit, unit, memory, 0).status, CUDA_ERROR_NOT_SUPPORTED) << "a part of the memory";
    EXPECT_EQ(cuMemMap(address, unit, 0, memory, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuMemMap(address + 4096, unit, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address + 3 * unit, 2 * unit, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE) << "beyond the range";
    EXPECT_EQ(cuMemMap(address, 0, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, unit, 0, memory + 1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, unit, 0, memory, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, 2 * unit, 0, memory, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(address + unit, 2 * unit, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE) << "taken";
    EXPECT_EQ(cuMemAddressFree(address, 4 * unit).status, CUDA_ERROR_INVALID_VALUE) << "in use";
    EXPECT_EQ(cuMemUnmap(address, unit).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address + unit, unit).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address, 2 * unit).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(address, 2 * unit).status, CUDA_SUCCESS) << "nothing is there";
    EXPECT_EQ(cuMemUnmap(4096, 2 * unit).status, CUDA_ERROR_INVALID_VALUE) << "not reserved";
    EXPECT_EQ(cuMemsetD8(address, 3, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, unit).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, 4 * unit).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAddressFree(address, 4 * unit).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimVirtualMemory, LivesAsLongAsAnythingNeedsIt) {
    const std::size_t before = free_memory();
    const CUmemGenericAllocationHandle memory = create(2 * unit);
    EXPECT_EQ(free_memory(), before - 2 * unit);
    const CUdeviceptr address = reserve(2 * unit);
    EXPECT_EQ(cuMemMap(address, 2 * unit, 0, memory, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(free_memory(), before - 2 * unit) << "it is mapped";
    auto [status, again] = cuMemRetainAllocationHandle(reinterpret_cast<void*>(address + 5));
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(address, 2 * unit).status, CUDA_SUCCESS);
    EXPECT_EQ(free_memory(), before - 2 * unit) << "it has a handle";
    EXPECT_EQ(cuMemGetAllocationPropertiesFromHandle(again).value.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(cuMemRelease(again).status, CUDA_SUCCESS);
    EXPECT_EQ(free_memory(), before);
    EXPECT_EQ(cuMemGetAllocationPropertiesFromHandle(again).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemRetainAllocationHandle(reinterpret_cast<void*>(address)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimVirtualMemory, PointersHaveAttributes) {
    const CUdeviceptr address = reserve(2 * unit);
    unsigned value = 0;
    EXPECT_EQ(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, unit, 0, create(unit), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address).status, CUDA_SUCCESS);
    EXPECT_EQ(value, CU_MEMORYTYPE_DEVICE);
    EXPECT_EQ(cuMemGetAddressRange(address + 5).value1, address);
    EXPECT_EQ(cuMemFree(address).status, CUDA_ERROR_INVALID_VALUE) << "it was not allocated";
}

TEST_F(SimVirtualMemory, IsSharedByADescriptor) {
    CUmemAllocationProp properties = on_device();
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    const CUmemGenericAllocationHandle memory = cuMemCreate(unit, &properties, 0).value;
    int descriptor = -1;
    const auto share = [&](CUmemGenericAllocationHandle what, CUmemAllocationHandleType type, unsigned long long flags) {
        return cuMemExportToShareableHandle(&descriptor, what, type, flags).status;
    };
    EXPECT_EQ(share(memory, CU_MEM_HANDLE_TYPE_FABRIC, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(share(memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(share(create(unit), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_ERROR_INVALID_VALUE) << "it was not asked for";
    ASSERT_EQ(share(memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0), CUDA_SUCCESS);
    const auto import = [](int from) {
        return cuMemImportFromShareableHandle(reinterpret_cast<void*>(std::intptr_t{from}), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    };
    auto [status, imported] = import(descriptor);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(close(descriptor), 0);
    EXPECT_NE(import(descriptor).status, CUDA_SUCCESS) << "closed";
    EXPECT_NE(import(-1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(reserve(unit), unit, 0, imported, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(imported).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemory, NothingIsLeftForTheNextMachine) {
    const CUmemGenericAllocationHandle memory = create(unit);
    const CUdeviceptr address = reserve(unit);
    EXPECT_EQ(cuMemMap(address, unit, 0, memory, 0).status, CUDA_SUCCESS);
    TearDown();
    SetUp();
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address, unit).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, unit).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
