// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimPool : public SimTest {
protected:
    static std::uint64_t attribute(CUmemoryPool pool, CUmemPool_attribute which) {
        std::uint64_t value = 0;
        EXPECT_EQ(cuMemPoolGetAttribute(pool, which, &value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimPool, MemoryComesAndGoesInOrder) {
    const CUstream stream = this->stream();
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    EXPECT_EQ(cuDeviceGetMemPool(0).value, pool);
    const CUdeviceptr memory = cuMemAllocAsync(1000, stream).value;
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u);
    {
        Gate gate(stream);
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_ERROR_INVALID_VALUE) << "twice";
        EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u) << "not yet";
    }
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
    EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 1000u);
    EXPECT_EQ(cuMemsetD8(memory, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "freed";
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

TEST_F(SimPool, WaitsForWhatIsAboutToBeFreed) {
    const CUstream stream = this->stream();
    const CUdeviceptr all = cuMemAllocAsync(std::size_t{1} << 30, stream).value;
    EXPECT_EQ(cuMemFreeAsync(all, stream).status, CUDA_SUCCESS);
    auto [status, again] = cuMemAllocAsync(std::size_t{1} << 30, stream);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemAllocAsync(1, stream).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemFree(again).status, CUDA_SUCCESS);
}

TEST_F(SimPool, KeepsUpToItsThreshold) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    auto [created, pool] = cuMemPoolCreate(&properties);
    ASSERT_EQ(created, CUDA_SUCCESS);
    std::uint64_t threshold = 4096;
    EXPECT_EQ(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold).status, CUDA_SUCCESS);
    const CUstream stream = this->stream();
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

TEST_F(SimPool, HoldsMemoryOfOtherKinds) {
    const CUstream stream = this->stream();
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.maxSize = 4096;
    const auto type_of = [](CUdeviceptr memory, CUpointer_attribute which) {
        unsigned value = 0;
        EXPECT_EQ(cuPointerGetAttribute(&value, which, memory).status, CUDA_SUCCESS);
        return value;
    };
    for (const CUmemLocationType place : {CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA}) {
        properties.location.type = place;
        const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
        ASSERT_NE(pool, nullptr);
        const CUdeviceptr memory = cuMemAllocFromPoolAsync(1000, pool, stream).value;
        EXPECT_EQ(type_of(memory, CU_POINTER_ATTRIBUTE_MEMORY_TYPE), static_cast<unsigned>(CU_MEMORYTYPE_HOST));
        EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2) << "it is not the device's";
        EXPECT_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000u);
        EXPECT_EQ(cuMemAllocFromPoolAsync(4096, pool, stream).status, CUDA_ERROR_OUT_OF_MEMORY);
        EXPECT_EQ(cuMemFreeHost(reinterpret_cast<void*>(memory)).status, CUDA_ERROR_INVALID_VALUE) << "it goes back to the pool";
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuDeviceSetMemPool(0, pool).status, CUDA_ERROR_INVALID_VALUE);
        CUmemAccessDesc access{};
        access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        EXPECT_EQ(cuMemPoolGetAccess(pool, &access.location).value, CU_MEM_ACCESS_FLAGS_PROT_NONE) << "until it is allowed";
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
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE) << "there is one node";
    properties.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPool, IsFoundByItsPlace) {
    CUmemLocation place{};
    place.type = CU_MEM_LOCATION_TYPE_DEVICE;
    place.id = 1;
    EXPECT_EQ(cuMemGetDefaultMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED).value, cuDeviceGetDefaultMemPool(1).value);
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = place;
    const CUmemoryPool pool = cuMemPoolCreate(&properties).value;
    EXPECT_EQ(cuMemSetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED, pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED).value, pool);
    EXPECT_EQ(cuDeviceGetMemPool(1).value, pool);
    EXPECT_EQ(cuMemGetMemPool(&place, CU_MEM_ALLOCATION_TYPE_INVALID).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetMemPool(nullptr, CU_MEM_ALLOCATION_TYPE_PINNED).status, CUDA_ERROR_INVALID_VALUE);
    place.id = 99;
    EXPECT_EQ(cuMemGetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPool, OthersAreAllowedToUseIt) {
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
