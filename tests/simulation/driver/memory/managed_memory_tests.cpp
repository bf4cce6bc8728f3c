// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimManagedMemoryTest : public SimTest {
protected:
    static constexpr std::size_t size = std::size_t{1} << 20;

    void SetUp() override {
        SimTest::SetUp();
        memory = cuMemAllocManaged(size, CU_MEM_ATTACH_GLOBAL).value;
        prefetch_stream = create_stream();
    }
    static CUmemLocation device(int ordinal) {
        CUmemLocation location{};
        location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        location.id = ordinal;
        return location;
    }
    static CUmemLocation host() {
        CUmemLocation location{};
        location.type = CU_MEM_LOCATION_TYPE_HOST;
        return location;
    }
    int attribute(CUmem_range_attribute attribute_id, std::size_t offset = 0, std::size_t bytes = size) const {
        int value = 77;
        EXPECT_EQ(cuMemRangeGetAttribute(&value, sizeof value, attribute_id, memory + offset, bytes).status, CUDA_SUCCESS);
        return value;
    }
    CUdeviceptr memory = 0;
    CUstream prefetch_stream = nullptr;
};

TEST_F(SimManagedMemoryTest, StoresAdvicePerPage) {
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2) << "no location";
    EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_READ_MOSTLY, device(99)).status, CUDA_SUCCESS)
        << "the device is ignored";
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
    EXPECT_EQ(cuMemAdvise(memory, size / 2, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device(0)).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0) << "the pages differ";
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, size / 2, size / 2), 1);
    EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host()).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -1) << "the host";
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), CU_MEM_LOCATION_TYPE_HOST);
    EXPECT_EQ(cuMemAdvise_v1(memory, 1, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 4096), 1) << "the whole page";
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2) << "the pages differ";
    EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, host()).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), CU_MEM_LOCATION_TYPE_INVALID);
}

TEST_F(SimManagedMemoryTest, ReportsTheDevicesThatAccessIt) {
    for (const int each : {1, 0}) {
        EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, device(each)).status, CUDA_SUCCESS);
    }
    int devices[3] = {};
    EXPECT_EQ(cuMemRangeGetAttribute(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size).status,
              CUDA_SUCCESS);
    EXPECT_EQ(std::vector<int>(devices, devices + 3), (std::vector<int>{0, 1, -2}));
    EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_ACCESSED_BY, device(0)).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRangeGetAttribute(devices, sizeof(int), CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size).status,
              CUDA_SUCCESS);
    EXPECT_EQ(devices[0], 1);
    char bytes[2 * sizeof(int) + 1];
    void* const unaligned = bytes + 1;
    EXPECT_EQ(cuMemRangeGetAttribute(unaligned, 2 * sizeof(int), CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuMemRangeGetAttribute(unaligned, sizeof(int), CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, size).status,
              CUDA_SUCCESS);
    std::memcpy(devices, unaligned, 2 * sizeof(int));
    EXPECT_EQ(devices[0], 0);
    EXPECT_EQ(devices[1], -2);
}

TEST_F(SimManagedMemoryTest, ListsTheHostAfterTheDevicesThatAccessIt) {
    for (const CUmemLocation& each : {host(), device(1), device(0)}) {
        EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, each).status, CUDA_SUCCESS);
    }
    int found[4] = {};
    EXPECT_EQ(cuMemRangeGetAttribute(found, sizeof found, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size).status, CUDA_SUCCESS);
    EXPECT_EQ(std::vector<int>(found, found + 4), (std::vector<int>{0, 1, -1, -2}));
}

TEST_F(SimManagedMemoryTest, IsPrefetchedInStreamOrder) {
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2);
    EXPECT_EQ(cuMemPrefetchAsync(memory, size, device(1), 0, prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 1);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), CU_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(cuMemPrefetchAsync_v1(memory, size, -1, prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -1);
    CUdeviceptr ranges[] = {memory, memory + size / 2};
    std::size_t sizes[] = {size / 2, size / 2};
    CUmemLocation locations[] = {device(0), device(1)};
    std::size_t first_indices[] = {0, 1};
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 2, 0, prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, size / 2), 0);
    EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, size / 2, size / 2), 1);
    EXPECT_EQ(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, prefetch_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 1, 0, prefetch_stream).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 2, 0, nullptr).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 0, locations, first_indices, 2, 0, prefetch_stream).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 0, 0, prefetch_stream).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 2, 1, prefetch_stream).status,
              CUDA_ERROR_INVALID_VALUE);
    first_indices[1] = 2;
    EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, first_indices, 2, 0, prefetch_stream).status,
              CUDA_ERROR_INVALID_VALUE);
    ranges[1] = allocate(64);
    EXPECT_EQ(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimManagedMemoryTest, RejectsInvalidArguments) {
    EXPECT_EQ(cuMemPrefetchAsync(memory, size + 1, device(0), 0, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchAsync(memory, 0, device(0), 0, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchAsync(allocate(64), 64, device(0), 0, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchAsync(memory, size, device(0), 1, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemPrefetchAsync(memory, size, device(99), 0, prefetch_stream).status, CUDA_ERROR_INVALID_DEVICE);
    EXPECT_EQ(cuMemPrefetchAsync(memory, size, CUmemLocation{}, 0, prefetch_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAdvise(memory, size, static_cast<CUmem_advise>(99), device(0)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAdvise(memory, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, device(0)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAdvise(memory, size + 1, CU_MEM_ADVISE_SET_READ_MOSTLY, device(0)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, device(99)).status, CUDA_ERROR_INVALID_VALUE);
    int values[3] = {};
    const auto status = [&](std::size_t bytes, CUmem_range_attribute attribute_id) {
        return cuMemRangeGetAttribute(values, bytes, attribute_id, memory, size).status;
    };
    EXPECT_EQ(status(8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(10, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(4, static_cast<CUmem_range_attribute>(99)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, size).status,
              CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimManagedMemoryTest, SetsThePointerAttributeForSynchronousCopies) {
    unsigned value = 1;
    EXPECT_EQ(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory).status, CUDA_SUCCESS);
    value = 0;
    EXPECT_EQ(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 1u);
    EXPECT_EQ(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuPointerSetAttribute(&value, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 4096).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
