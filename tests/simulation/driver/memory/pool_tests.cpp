// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <set>

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
            << "the memory must be returned to its pool";
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
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE) << "managed memory has no limit";
    properties.maxSize = 0;
    const CUmemoryPool managed = cuMemPoolCreate(&properties).value;
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(1000, managed, stream).value;
    EXPECT_EQ(type_of(memory, CU_POINTER_ATTRIBUTE_IS_MANAGED), 1u);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE);
    properties.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
    properties.location.id = 1;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE) << "there is one NUMA node";
    properties.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
    EXPECT_EQ(cuMemPoolCreate(&properties).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimPoolTest, RejectsPropertiesThatItsLocationLacks) {
    const auto status_of = [](CUmemAllocationType type, CUmemLocationType location, int id, CUmemAllocationHandleType handles) {
        CUmemPoolProps properties{};
        properties.allocType = type;
        properties.location.type = location;
        properties.location.id = id;
        properties.handleTypes = handles;
        return cuMemPoolCreate(&properties).status;
    };
    constexpr auto pinned = CU_MEM_ALLOCATION_TYPE_PINNED;
    constexpr auto managed = CU_MEM_ALLOCATION_TYPE_MANAGED;
    constexpr auto none = CU_MEM_HANDLE_TYPE_NONE;
    constexpr auto file = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    EXPECT_EQ(status_of(pinned, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0, none), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(pinned, CU_MEM_LOCATION_TYPE_HOST, 0, file), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(pinned, CU_MEM_LOCATION_TYPE_DEVICE, 77, none), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(pinned, CU_MEM_LOCATION_TYPE_DEVICE, 0, CU_MEM_HANDLE_TYPE_WIN32), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(pinned, CU_MEM_LOCATION_TYPE_DEVICE, 0, file), CUDA_SUCCESS);
    EXPECT_EQ(status_of(managed, CU_MEM_LOCATION_TYPE_DEVICE, 0, file), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(managed, CU_MEM_LOCATION_TYPE_DEVICE, 77, none), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(managed, CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0, none), CUDA_SUCCESS);
}

TEST_F(SimPoolTest, HasADefaultInEachLocation) {
    struct Place {
        CUmemAllocationType type;
        CUmemLocationType location;
    };
    const CUstream stream = create_stream();
    std::set<CUmemoryPool> pools;
    for (const auto& [type, location_type] : {Place{CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_HOST},
                                              Place{CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_HOST_NUMA},
                                              Place{CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_LOCATION_TYPE_NONE},
                                              Place{CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_LOCATION_TYPE_DEVICE},
                                              Place{CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_LOCATION_TYPE_HOST},
                                              Place{CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_LOCATION_TYPE_HOST_NUMA}}) {
        CUmemLocation location{};
        location.type = location_type;
        const auto [status, pool] = cuMemGetDefaultMemPool(&location, type);
        ASSERT_EQ(status, CUDA_SUCCESS) << location_type;
        EXPECT_TRUE(pools.insert(pool).second);
        EXPECT_EQ(cuMemGetMemPool(&location, type).value, pool);
        const CUdeviceptr memory = cuMemAllocFromPoolAsync(100, pool, stream).value;
        EXPECT_EQ(cuMemFreeAsync(memory, stream).status, CUDA_SUCCESS);
        CUmemPoolProps properties{};
        properties.allocType = type;
        properties.location = location;
        const CUmemoryPool own = cuMemPoolCreate(&properties).value;
        EXPECT_EQ(cuMemSetMemPool(&location, type, own).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemGetMemPool(&location, type).value, own);
        EXPECT_EQ(cuMemSetMemPool(&location, type, cuDeviceGetDefaultMemPool(0).value).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemSetMemPool(&location, type, nullptr).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuMemPoolDestroy(own).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemGetMemPool(&location, type).value, pool) << "destroying the current pool restores the default";
        EXPECT_EQ(cuMemPoolDestroy(pool).status, CUDA_ERROR_INVALID_VALUE);
    }
    CUmemLocation location{};
    location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    EXPECT_EQ(cuMemGetDefaultMemPool(&location, CU_MEM_ALLOCATION_TYPE_MANAGED).status, CUDA_ERROR_NOT_SUPPORTED);
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
