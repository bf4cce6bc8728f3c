// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/kernels.hpp>

#include <cstdint>
#include <cstdlib>

#include "sanitizers.hpp"
#include "virtual_memory_test.hpp"

namespace cubind::testing {

namespace sim = cubind::sim;

namespace {

TEST_F(SimVirtualMemoryTest, HasAGranularity) {
    const CUmemAllocationProp properties = on_device();
    EXPECT_EQ(cuMemGetAllocationGranularity(&properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM).value, granularity);
    EXPECT_EQ(cuMemGetAllocationGranularity(&properties, static_cast<CUmemAllocationGranularity_flags>(2)).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAllocationGranularity(nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(granularity + 1, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(0, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(granularity, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(granularity, &properties, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemCreate(std::size_t{1} << 45, &properties, 0).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAddressReserve(granularity + 1, 0, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(0, 0, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(granularity, 3, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressReserve(std::size_t{1} << 60, 0, 0, 0).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAddressReserve(granularity, std::size_t{64} << 20, 0, 0).value % (std::size_t{64} << 20), 0u);
}

TEST_F(SimVirtualMemoryTest, RejectsInvalidProperties) {
    const CUmemAllocationProp invalid_device = on_device(99);
    EXPECT_EQ(cuMemCreate(granularity, &invalid_device, 0).status, CUDA_ERROR_INVALID_DEVICE);
    CUmemAllocationProp properties = on_device();
    properties.type = static_cast<CUmemAllocationType>(7);
    EXPECT_EQ(cuMemCreate(granularity, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties = on_device();
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    EXPECT_EQ(cuMemCreate(granularity, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties = on_device();
    properties.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    EXPECT_EQ(cuMemCreate(granularity, &properties, 0).status, CUDA_ERROR_INVALID_VALUE);
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    EXPECT_EQ(cuMemCreate(granularity, &properties, 0).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemoryTest, StoresTheAccessOfTheHost) {
    CUmemAllocationProp properties = on_device();
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    const CUmemGenericAllocationHandle of_host = cuMemCreate(granularity, &properties, 0).value;
    const CUdeviceptr address = reserve(2 * granularity);
    EXPECT_EQ(cuMemMap(address, granularity, 0, of_host, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(address + granularity, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    EXPECT_EQ(cuMemGetAccess(&access.location, address).value, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    EXPECT_EQ(cuMemSetAccess(address, granularity, &access, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetAccess(&access.location, address).value, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT_EQ(cuMemSetAccess(address, 2 * granularity, &access, 1).status, CUDA_ERROR_INVALID_VALUE)
        << "the host cannot access the memory of a device";
}

TEST_F(SimVirtualMemoryTest, MapsOneAllocationAtTwoAddresses) {
    const CUmemGenericAllocationHandle memory = create(2 * granularity);
    const CUdeviceptr a = reserve(2 * granularity);
    const CUdeviceptr b = reserve(2 * granularity);
    ASSERT_EQ(cuMemMap(a, 2 * granularity, 0, memory, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemMap(b, 2 * granularity, 0, memory, 0).status, CUDA_SUCCESS);
    ASSERT_EQ(set_access(a, 2 * granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    ASSERT_EQ(set_access(b, 2 * granularity, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(a + granularity, 0x12345678, 1).status, CUDA_SUCCESS);
    std::uint32_t found = 0;
    EXPECT_EQ(cuMemcpyDtoH(&found, b + granularity, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 0x12345678u);
    EXPECT_EQ(cuMemcpyHtoD(b, &found, 4).status, CUDA_ERROR_INVALID_VALUE) << "the mapping is read-only";
}

TEST_F(SimVirtualMemoryTest, RequiresAccessRights) {
    const CUdeviceptr address = reserve(granularity);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "nothing is mapped";
    EXPECT_EQ(cuMemMap(address, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "no device has access";
    EXPECT_EQ(cuMemGetAddressRange(address).status, CUDA_ERROR_NOT_FOUND) << "no device has access";
    CUmemLocation here{CU_MEM_LOCATION_TYPE_DEVICE, {0}};
    EXPECT_EQ(cuMemGetAccess(&here, address).value, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    EXPECT_EQ(set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "only the other device has access";
    EXPECT_EQ(set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, granularity).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 0, granularity + 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAccess(&here, address).value, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    EXPECT_EQ(set_access(address, granularity, static_cast<CUmemAccess_flags>(2)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_NE(set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READ, 99), CUDA_SUCCESS);
    EXPECT_EQ(set_access(address + 1, granularity, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemSetAccess(address, granularity, nullptr, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetAccess(&here, 4096).status, CUDA_ERROR_INVALID_VALUE);
    here.id = 99;
    EXPECT_NE(cuMemGetAccess(&here, address).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemoryTest, TreatsAdjacentMappingsAsOneRange) {
    const CUdeviceptr address = reserve(3 * granularity);
    EXPECT_EQ(cuMemMap(address, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(address + granularity, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(set_access(address, 2 * granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 3, 2 * granularity).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address + granularity - 2, 3, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address, 3, 2 * granularity + 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set_access(address + granularity, granularity, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(address + granularity - 2, 3, 4).status, CUDA_ERROR_INVALID_VALUE) << "the second half is read-only";
    EXPECT_EQ(cuMemUnmap(address, 2 * granularity).status, CUDA_SUCCESS);
}

TEST_F(SimVirtualMemoryTest, UnmapsWholeMappingsOnly) {
    const CUdeviceptr address = reserve(4 * granularity);
    const CUmemGenericAllocationHandle memory = create(2 * granularity);
    EXPECT_EQ(cuMemMap(address, granularity, granularity, memory, 0).status, CUDA_ERROR_NOT_SUPPORTED)
        << "a part of the allocation";
    EXPECT_EQ(cuMemMap(address, granularity, 0, memory, 0).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuMemMap(address + 4096, granularity, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address + 3 * granularity, 2 * granularity, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE)
        << "beyond the reserved range";
    EXPECT_EQ(cuMemMap(address, 0, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, granularity, 0, memory + 1, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, granularity, 0, memory, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, 2 * granularity, 0, memory, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMap(address + granularity, 2 * granularity, 0, memory, 0).status, CUDA_ERROR_INVALID_VALUE)
        << "already mapped";
    EXPECT_EQ(cuMemAddressFree(address, 4 * granularity).status, CUDA_ERROR_INVALID_VALUE) << "still mapped";
    EXPECT_EQ(cuMemUnmap(address, granularity).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address + granularity, granularity).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address, 2 * granularity).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(address, 2 * granularity).status, CUDA_SUCCESS) << "nothing is mapped";
    EXPECT_EQ(cuMemUnmap(4096, 2 * granularity).status, CUDA_ERROR_INVALID_VALUE) << "not reserved";
    EXPECT_EQ(cuMemsetD8(address, 3, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, granularity).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, 4 * granularity).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAddressFree(address, 4 * granularity).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimVirtualMemoryTest, IsFreedAfterItsLastHandleAndMapping) {
    const std::size_t before = free_memory();
    const CUmemGenericAllocationHandle memory = create(2 * granularity);
    EXPECT_EQ(free_memory(), before - 2 * granularity);
    const CUdeviceptr address = reserve(2 * granularity);
    EXPECT_EQ(cuMemMap(address, 2 * granularity, 0, memory, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(free_memory(), before - 2 * granularity) << "still mapped";
    auto [status, again] = cuMemRetainAllocationHandle(reinterpret_cast<void*>(address + 5));
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(address, 2 * granularity).status, CUDA_SUCCESS);
    EXPECT_EQ(free_memory(), before - 2 * granularity) << "a handle remains";
    EXPECT_EQ(cuMemGetAllocationPropertiesFromHandle(again).value.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(cuMemRelease(again).status, CUDA_SUCCESS);
    EXPECT_EQ(free_memory(), before);
    EXPECT_EQ(cuMemGetAllocationPropertiesFromHandle(again).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemRetainAllocationHandle(reinterpret_cast<void*>(address)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimVirtualMemoryTest, ReturnsPointerAttributes) {
    const CUdeviceptr address = reserve(2 * granularity);
    unsigned value = 0;
    EXPECT_EQ(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMap(address, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address).status, CUDA_SUCCESS);
    EXPECT_EQ(value, CU_MEMORYTYPE_DEVICE);
    EXPECT_EQ(set_access(address, granularity, CU_MEM_ACCESS_FLAGS_PROT_READ), CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetAddressRange(address + 5).value1, address);
    EXPECT_EQ(cuMemFree(address).status, CUDA_ERROR_INVALID_VALUE) << "not allocated by cuMemAlloc";
}

TEST_F(SimVirtualMemoryTest, IsFreedByUninstall) {
    const CUmemGenericAllocationHandle memory = create(granularity);
    const CUdeviceptr address = reserve(granularity);
    EXPECT_EQ(cuMemMap(address, granularity, 0, memory, 0).status, CUDA_SUCCESS);
    TearDown();
    SetUp();
    EXPECT_EQ(cuMemRelease(memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemUnmap(address, granularity).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAddressFree(address, granularity).status, CUDA_ERROR_INVALID_VALUE);
}

// Copies a word from a mapping that a kernel may access to one with these flags, or in the other direction.
class SimProtectedMemoryTest : public SimVirtualMemoryTest {
protected:
    CUresult copy(CUmemAccess_flags flags, bool is_written) {
        constexpr const char* ptx = R"(
            .version 8.0
            .target sm_90
            .visible .entry copy(.param .u64 to, .param .u64 from) {
                .reg .b32 %r;
                .reg .b64 %to, %from;
                ld.param.u64 %to, [to];
                ld.param.u64 %from, [from];
                ld.global.u32 %r, [%from];
                st.global.u32 [%to], %r;
                ret;
            })";
        CUdeviceptr mapped = reserve(2 * granularity);
        CUdeviceptr other = mapped + granularity;
        EXPECT_EQ(cuMemMap(mapped, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemMap(other, granularity, 0, create(granularity), 0).status, CUDA_SUCCESS);
        EXPECT_EQ(set_access(mapped, granularity, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), CUDA_SUCCESS);
        EXPECT_EQ(set_access(other, granularity, flags), CUDA_SUCCESS);
        const CUfunction function = cuModuleGetFunction(cuModuleLoadData(ptx).value, "copy").value;
        void* written[] = {&other, &mapped};
        void* read[] = {&mapped, &other};
        EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, is_written ? written : read, nullptr).status,
                  CUDA_SUCCESS);
        return cuCtxSynchronize().status;
    }
    static std::string problem() { return sim::launches().back().problem; }
};

TEST_F(SimProtectedMemoryTest, CanBeReadAndWrittenByKernels) {
    EXPECT_EQ(copy(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, true), CUDA_SUCCESS);
    EXPECT_EQ(copy(CU_MEM_ACCESS_FLAGS_PROT_READWRITE, false), CUDA_SUCCESS);
}

TEST_F(SimProtectedMemoryTest, CanBeReadOnly) {
    EXPECT_EQ(copy(CU_MEM_ACCESS_FLAGS_PROT_READ, false), CUDA_SUCCESS);
    EXPECT_EQ(copy(CU_MEM_ACCESS_FLAGS_PROT_READ, true), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_NE(problem().find("read-only"), std::string::npos) << problem();
}

TEST_F(SimProtectedMemoryTest, CanBeInaccessible) {
    EXPECT_EQ(copy(CU_MEM_ACCESS_FLAGS_PROT_NONE, false), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_NE(problem().find("cuMemSetAccess"), std::string::npos) << problem();
}

}  // namespace
}  // namespace cubind::testing
