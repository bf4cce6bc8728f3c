// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimCopyTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        std::iota(host.begin(), host.end(), std::uint8_t{0});
    }
    std::vector<std::uint8_t> read(CUdeviceptr memory, std::size_t bytes) {
        std::vector<std::uint8_t> found(bytes);
        EXPECT_EQ(cuMemcpyDtoH(found.data(), memory, bytes).status, CUDA_SUCCESS);
        return found;
    }
    std::vector<std::uint8_t> host = std::vector<std::uint8_t>(256);
};

TEST_F(SimCopyTest, CopiesToTheDeviceAndBack) {
    const CUdeviceptr a = allocate(256);
    const CUdeviceptr b = allocate(256);
    EXPECT_EQ(cuMemcpyHtoD(a, host.data(), 256).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoD(b, a, 256).status, CUDA_SUCCESS);
    EXPECT_EQ(read(b, 256), host);
    std::vector<std::uint8_t> found(256);
    EXPECT_EQ(cuMemcpy(reinterpret_cast<CUdeviceptr>(found.data()), b, 256).status, CUDA_SUCCESS);
    EXPECT_EQ(found, host);
}

TEST_F(SimCopyTest, CopiesBetweenDevices) {
    const CUdeviceptr memory = allocate(256);
    EXPECT_EQ(cuMemcpyHtoD(memory, host.data(), 256).status, CUDA_SUCCESS);
    const CUcontext other = cuCtxCreate_v2(0, 1).value;
    const CUdeviceptr remote_memory = allocate(256);
    EXPECT_EQ(cuMemcpyPeer(remote_memory, other, memory, context, 256).status, CUDA_SUCCESS);
    EXPECT_EQ(read(remote_memory, 256), host);
    EXPECT_EQ(cuMemcpyPeer(remote_memory, nullptr, memory, context, 256).status, CUDA_SUCCESS) << "the current context";
    EXPECT_EQ(cuMemcpyPeer(remote_memory, reinterpret_cast<CUcontext>(8), memory, context, 256).status,
              CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimCopyTest, RequiresAccessOfTheCurrentDeviceToThePool) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    const CUdeviceptr memory = cuMemAllocFromPoolAsync(256, pool, stream).value;
    CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, {1}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    const auto pointer_status = [&] {
        CUdeviceptr pointer = 0;
        return cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, memory).status;
    };
    EXPECT_EQ(pointer_status(), CUDA_SUCCESS);
    const CUcontext other = cuCtxCreate_v2(0, 1).value;
    const CUdeviceptr remote_memory = allocate(256);
    EXPECT_EQ(pointer_status(), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyDtoHAsync(host.data(), memory, 256, stream).status, CUDA_ERROR_INVALID_VALUE)
        << "although the memory is on the device of the stream";
    EXPECT_EQ(cuMemcpyAsync(remote_memory, memory, 256, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 256, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 256, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyPeerAsync(remote_memory, other, memory, context, 256, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS)
        << "the default stream does not wait for `stream` and uses the same memory next";
    EXPECT_EQ(cuMemPoolSetAccess(pool, &access, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(pointer_status(), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyAsync(remote_memory, memory, 256, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 256, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
}

TEST_F(SimCopyTest, RejectsRangesOutsideAllocations) {
    const CUdeviceptr memory = allocate(100);
    EXPECT_EQ(cuMemcpyHtoD(memory, host.data(), 101).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoD(memory + 50, host.data(), 51).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoD(4096, host.data(), 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoD(memory, nullptr, 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyDtoH(host.data(), memory, ~std::size_t{0}).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoD(memory, host.data(), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(memory).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(host.data(), memory, 4).status, CUDA_ERROR_INVALID_VALUE) << "after it was freed";
    EXPECT_EQ(cuMemcpy(reinterpret_cast<CUdeviceptr>(host.data()), memory, 4).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimCopyTest, FillsWithElementsOfEachWidth) {
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(cuMemsetD8(memory, 0xab, 64).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD16(memory, 0x1234, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(memory + 8, 0x01020304, 1).status, CUDA_SUCCESS);
    const std::vector<std::uint8_t> expected = {0x34, 0x12, 0x34, 0x12, 0xab, 0xab, 0xab, 0xab, 4, 3, 2, 1, 0xab};
    EXPECT_EQ(read(memory, 13), expected);
    EXPECT_EQ(cuMemsetD32(memory + 2, 0, 1).status, CUDA_ERROR_INVALID_VALUE) << "not aligned";
    EXPECT_EQ(cuMemsetD32(memory, 0, 17).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD2D8(memory, 8, 0, 4, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD2D8(memory, 8, 0, 9, 2).status, CUDA_ERROR_INVALID_VALUE) << "wider than a row";
    EXPECT_EQ(cuMemsetD2D8(memory, 32, 0, 16, 3).status, CUDA_ERROR_INVALID_VALUE) << "the third row is out of range";
    const std::vector<std::uint8_t> holes = {0, 0, 0, 0, 0xab, 0xab, 0xab, 0xab, 0, 0, 0, 0, 0xab};
    EXPECT_EQ(read(memory, 13), holes);
}

TEST_F(SimCopyTest, CopiesPlanes) {
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(cuMemsetD8(memory, 0xff, 64).status, CUDA_SUCCESS);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.srcPitch = 10;
    copy.srcXInBytes = 1;
    copy.srcY = 2;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.dstPitch = 4;
    copy.WidthInBytes = 3;
    copy.Height = 2;
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_SUCCESS);
    const std::vector<std::uint8_t> expected = {21, 22, 23, 0xff, 31, 32, 33, 0xff};
    EXPECT_EQ(read(memory, 8), expected);
    copy.Height = 17;
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE);
    copy.Height = 2;
    copy.dstPitch = 2;
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE);
    copy.dstPitch = 4;
    copy.dstY = ~std::size_t{0};
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE);
    copy.dstMemoryType = static_cast<CUmemorytype>(9);
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimCopyTest, DoesNotTreatFarAddressesAsHostMemory) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.dstDevice = allocate(64);
    copy.dstHost = reinterpret_cast<void*>(copy.dstDevice);
    copy.dstPitch = std::size_t{1} << 62;
    copy.dstXInBytes = std::size_t{1} << 46;
    copy.WidthInBytes = 1;
    copy.Height = 1;
    for (const CUmemorytype type : {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE}) {
        copy.dstMemoryType = type;
        EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE) << type;
    }
}

TEST_F(SimCopyTest, CopiesBoxes) {
    const CUdeviceptr memory = allocate(64);
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host.data();
    copy.srcPitch = 4;
    copy.srcHeight = 4;
    copy.srcZ = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.dstPitch = 2;
    copy.dstHeight = 2;
    copy.WidthInBytes = 2;
    copy.Height = 2;
    copy.Depth = 2;
    EXPECT_EQ(cuMemcpy3D(&copy).status, CUDA_SUCCESS);
    const std::vector<std::uint8_t> expected = {16, 17, 20, 21, 32, 33, 36, 37};
    EXPECT_EQ(read(memory, 8), expected);
    EXPECT_EQ(cuMemcpy3DAsync(&copy, create_stream()).status, CUDA_SUCCESS);
    copy.Depth = 17;
    EXPECT_EQ(cuMemcpy3D(&copy).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
