// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using SimMemoryTest = SimTest;

TEST_F(SimMemoryTest, CountsAllocationsAndRunsOut) {
    const std::size_t before = cuMemGetInfo().value1;
    EXPECT_EQ(before, cuMemGetInfo().value2);
    const CUdeviceptr memory = allocate(1000);
    EXPECT_EQ(memory % 256, 0u);
    EXPECT_EQ(cuMemGetInfo().value1, before - 1024);
    EXPECT_EQ(cuMemAlloc(std::size_t{1} << 30).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemAlloc(~std::size_t{0}).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, before);
    const CUdeviceptr all = allocate(std::size_t{1} << 30);
    EXPECT_EQ(cuMemAlloc(1).status, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuMemFree(all).status, CUDA_SUCCESS);
}

TEST_F(SimMemoryTest, RejectsInvalidArguments) {
    EXPECT_EQ(cuMemAlloc(0).status, CUDA_ERROR_INVALID_VALUE);
    const CUdeviceptr memory = allocate(1000);
    EXPECT_EQ(cuMemFree(memory + 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFree(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFree(4096).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAllocPitch(100, 10, 3).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemAllocPitch(~std::size_t{0}, 10, 4).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimMemoryTest, IsFreedWithAnyContextOrNone) {
    const CUdeviceptr first = allocate(64);
    const CUdeviceptr managed = cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value;
    void* const pinned = cuMemHostAlloc(64, 0).value;
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(first).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(pinned).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(pinned).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(1).value).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(managed).status, CUDA_SUCCESS);
}

TEST_F(SimMemoryTest, ReturnsTheAddressRangeOfAnAllocation) {
    const CUdeviceptr memory = allocate(1000);
    auto [status, base, size] = cuMemGetAddressRange(memory + 999);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(base, memory);
    EXPECT_EQ(size, 1000u);
    EXPECT_EQ(cuMemGetAddressRange(memory + 1000).status, CUDA_ERROR_NOT_FOUND);
}

TEST_F(SimMemoryTest, AlignsThePitch) {
    auto [status, memory, pitch] = cuMemAllocPitch(100, 10, 4);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(pitch, 512u);
    EXPECT_EQ(cuMemGetAddressRange(memory).value2, 5120u);
}

TEST_F(SimMemoryTest, AllocatesAndRegistersHostMemory) {
    auto [status, pinned] = cuMemHostAlloc(100, CU_MEMHOSTALLOC_PORTABLE);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostGetDevicePointer(pinned, 0).value, reinterpret_cast<CUdeviceptr>(pinned));
    EXPECT_EQ(cuMemFree(reinterpret_cast<CUdeviceptr>(pinned)).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemFreeHost(pinned).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(pinned).status, CUDA_ERROR_INVALID_VALUE);

    std::vector<char> buffer(8192);
    EXPECT_EQ(cuMemHostRegister(buffer.data(), buffer.size(), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostRegister(buffer.data() + 100, 10, 0).status, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT_EQ(cuMemHostUnregister(buffer.data() + 1).status, CUDA_ERROR_INVALID_VALUE) << "within a registered range";
    EXPECT_EQ(cuMemHostUnregister(buffer.data()).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemHostUnregister(buffer.data()).status, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    EXPECT_EQ(cuMemHostUnregister(reinterpret_cast<void*>(allocate(16))).status, CUDA_ERROR_INVALID_VALUE)
        << "not of the program";
}

TEST_F(SimMemoryTest, ReturnsPointerAttributes) {
    const CUdeviceptr memory = allocate(1000);
    unsigned type = 0;
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 5).status, CUDA_SUCCESS);
    EXPECT_EQ(type, CU_MEMORYTYPE_DEVICE);
    CUcontext owner = nullptr;
    EXPECT_EQ(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory).status, CUDA_SUCCESS);
    EXPECT_EQ(owner, context);
    std::size_t size = 0;
    EXPECT_EQ(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory).status, CUDA_SUCCESS);
    EXPECT_EQ(size, 1000u);
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(&type)).status,
              CUDA_ERROR_INVALID_VALUE);
    const CUdeviceptr managed = cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value;
    *reinterpret_cast<int*>(managed) = 5;
    EXPECT_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed).status, CUDA_SUCCESS);
    EXPECT_EQ(type, 1u);
}

TEST_F(SimMemoryTest, AllocatesManySizes) {
    std::vector<CUdeviceptr> all;
    for (std::size_t size = 1; size < 100000; size = size * 5 / 4 + 1) {
        all.push_back(allocate(size));
        EXPECT_EQ(cuMemsetD8(all.back(), 7, size).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemsetD8(all.back(), 7, size + 1).status, CUDA_ERROR_INVALID_VALUE);
    }
    for (const CUdeviceptr each : all) EXPECT_EQ(cuMemFree(each).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
}

}  // namespace
}  // namespace cubind::testing
