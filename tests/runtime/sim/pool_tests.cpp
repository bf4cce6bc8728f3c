// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimPoolTest : public SimTest {
protected:
    static std::uint64_t attribute(CUmemoryPool pool, CUmemPool_attribute id) {
        std::uint64_t value = 0;
        EXPECT_EQ(cuMemPoolGetAttribute(pool, id, &value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimPoolTest, AllocatesAndFreesInStreamOrder) {
    const CUstream stream = create_stream();
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    EXPECT_EQ(cuDeviceGetMemPool(0).value, pool);
    const CUdeviceptr memory = cuMemAllocAsync(1000, stream).value;
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u);
    {
        Gate gate(stream);
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_ERROR_INVALID_VALUE) << "freed twice";
        EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u) << "before the gate opens";
    }
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 1000u);
    EXPECT_EQ(cuMemsetD8(memory, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "freed";
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

TEST_F(SimPoolTest, WaitsForPendingFrees) {
    const CUstream stream = create_stream();
    const CUdeviceptr all = cuMemAllocAsync(std::size_t{1} << 30, stream).value;
    EXPECT_EQ(cuMemFreeAsync(all, stream).status, CUDA_SUCCESS);
    auto [status, again] = cuMemAllocAsync(std::size_t{1} << 30, stream);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocAsync(1, stream).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemFree(again).status, CUDA_SUCCESS);
}

TEST_F(SimPoolTest, RetainsMemoryUpToItsThreshold) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    auto [created, pool] = cuMemPoolCreate(&properties);
    ASSERT_EQ(created, CUDA_SUCCESS);
    std::uint64_t threshold = 4096;
    EXPECT_EQ(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold).status, CUDA_SUCCESS);
    const CUstream stream = create_stream();
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(8192, pool, stream).value;
    EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 4096u);
    EXPECT_EQ(cuMemPoolTrimTo(pool, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
    EXPECT_EQ(cuDeviceSetMemPool(0, pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolDestroy(pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolDestroy(pool).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDeviceGetMemPool(0).value, cuDeviceGetDefaultMemPool(0).value);
    EXPECT_EQ(cuMemPoolDestroy(cuDeviceGetDefaultMemPool(0).value).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPoolTest, AllocatesHostAndManagedMemory) {
    const CUstream stream = create_stream();
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.maxSize = 4096;
    const auto type_of = [](CUdeviceptr memory, CUpointer_attribute id) {
        unsigned value = 0;
        EXPECT_EQ(cuPointerGetAttribute(&value, id, memory).status, CUDA_SUCCESS);
        return value;
    };
    for (const CUmemLocationType location : {CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA}) {
        properties.location.type = location;
        const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
        ASSERT_NE(pool, nullptr);
        const CUdeviceptr memory = cuMemAllocFromPoolAsync(1000, pool, stream).value;
        EXPECT_EQ(type_of(memory, CU_POINTER_ATTRIBUTE_MEMORY_TYPE), static_cast<unsigned>(CU_MEMORYTYPE_HOST));
        EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2) << "it is not device memory";
        EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u);
        EXPECT_EQ(cuMemAllocFromPoolAsync(4096, pool, stream).status, CUDA_ERROR_OUT_OF_MEMORY);
        EXPECT_EQ(cuMemFreeHost(reinterpret_cast<void*>(memory)).status, CUDA_ERROR_INVALID_VALUE)
            << "it must be freed to the pool";
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuDeviceSetMemPool(0, pool).status, CUDA_ERROR_INVALID_VALUE);
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).value, CU_MEM_ACCESS_FLAGS_PROT_NONE) << "until access is granted";
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemPoolDestroy(pool).status, CUDA_SUCCESS);
    }
    properties.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
    properties.location.type = CU_MEM_LOCATION_TYPE_NONE;
    const CUmemoryPool managed = cuMemPoolCreate(&properties).value;
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(1000, managed, stream).value;
    EXPECT_EQ(type_of(memory, CU_POINTER_ATTRIBUTE_IS_MANAGED), 1u);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_NOT_SUPPORTED);
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    properties.location.id = 1;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE) << "there is one NUMA node";
    properties.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPoolTest, IsFoundByItsLocation) {
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = 1;
    EXPECT_EQ(cuMemGetDefaultMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED).value, cuDeviceGetDefaultMemPool(1).value);
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = location;
    const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
    EXPECT_EQ(cuMemSetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED, pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED).value, pool);
    EXPECT_EQ(cuDeviceGetMemPool(1).value, pool);
    EXPECT_EQ(cuMemGetMemPool(&location, CU_MEM_ALLOCATION_TYPE_INVALID).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetMemPool(nullptr, CU_MEM_ALLOCATION_TYPE_PINNED).status, CUDA_ERROR_INVALID_VALUE);
    location.id = 99;
    EXPECT_EQ(cuMemGetMemPool(&location, CU_MEM_ALLOCATION_TYPE_PINNED).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPoolTest, GrantsAccessToOtherDevices) {
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = 1;
    EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).value, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).value, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_ERROR_NOT_SUPPORTED);
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).value, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    access.location.id = 0;
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_ERROR_INVALID_DEVICE) << "its own device";
    access.location.id = 99;
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPoolSetAccess(pool, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
