// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <cstddef>
#include <numeric>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimArrayTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        std::iota(host.begin(), host.end(), 0.0f);
    }
    static CUDA_ARRAY3D_DESCRIPTOR floats(std::size_t width, std::size_t height, std::size_t depth = 0, int flags = 0) {
        return {width, height, depth, CU_AD_FORMAT_FLOAT, 1, static_cast<unsigned>(flags)};
    }
    static CUarray create(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
        auto [status, array] = cuArray3DCreate(&descriptor);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return array;
    }
    static CUresult status_of(std::size_t width, std::size_t height, std::size_t depth, int flags) {
        const CUDA_ARRAY3D_DESCRIPTOR descriptor = floats(width, height, depth, flags);
        auto [status, array] = cuArray3DCreate(&descriptor);
        return status == CUDA_SUCCESS ? cuArrayDestroy(array).status : status;
    }
    std::vector<float> host = std::vector<float>(64);
};

TEST_F(SimArrayTest, ReturnsItsDescriptorAndCountsItsMemory) {
    const std::size_t before = cuMemGetInfo().value1;
    const CUDA_ARRAY_DESCRIPTOR descriptor = {100, 20, CU_AD_FORMAT_HALF, 2};
    const CUarray array = cuArrayCreate(&descriptor).value;
    EXPECT_EQ(before - cuMemGetInfo().value1, (100u * 20 * 4 + 511) / 512 * 512);
    const CUDA_ARRAY_DESCRIPTOR found = cuArrayGetDescriptor(array).value;
    EXPECT_EQ(found.Width, 100u);
    EXPECT_EQ(found.Height, 20u);
    EXPECT_EQ(found.Format, CU_AD_FORMAT_HALF);
    EXPECT_EQ(cuArray3DGetDescriptor(array).value.Depth, 0u);
    EXPECT_EQ(cuArrayGetPlane(array, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, before);
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_ERROR_INVALID_HANDLE) << "destroyed twice";
    EXPECT_EQ(cuArrayGetDescriptor(array).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuArrayDestroy(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuArrayCreate(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimArrayTest, RejectsChannelCountsThatTheFormatDoesNotAllow) {
    const auto status = [](CUarray_format format, unsigned channels) {
        const CUDA_ARRAY_DESCRIPTOR descriptor = {64, 32, format, channels};
        return cuArrayCreate(&descriptor).status;
    };
    EXPECT_EQ(status(CU_AD_FORMAT_UNSIGNED_INT8, 4), CUDA_SUCCESS);
    EXPECT_EQ(status(CU_AD_FORMAT_UNSIGNED_INT8, 3), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(CU_AD_FORMAT_UNSIGNED_INT8, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(CU_AD_FORMAT_UNORM_INT8X4, 4), CUDA_SUCCESS);
    EXPECT_EQ(status(CU_AD_FORMAT_UNORM_INT8X4, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(CU_AD_FORMAT_BC6H_UF16, 3), CUDA_SUCCESS);
    EXPECT_EQ(status(CU_AD_FORMAT_BC6H_UF16, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(CU_AD_FORMAT_NV12, 3), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(static_cast<CUarray_format>(0), 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimArrayTest, RejectsInvalidShapes) {
    EXPECT_EQ(status_of(0, 4, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(131072, 0, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(status_of(131073, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(4, 65537, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(4, 0, 4, 0), CUDA_ERROR_INVALID_VALUE) << "depth without height";
    EXPECT_EQ(status_of(4, 4, 16385, 0), CUDA_SUCCESS);
    EXPECT_EQ(status_of(8, 0, 5, CUDA_ARRAY3D_LAYERED), CUDA_SUCCESS);
    EXPECT_EQ(status_of(8, 8, 0, CUDA_ARRAY3D_LAYERED), CUDA_ERROR_INVALID_VALUE) << "zero layers";
    EXPECT_EQ(status_of(8, 8, 2049, CUDA_ARRAY3D_LAYERED), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(8, 8, 6, CUDA_ARRAY3D_CUBEMAP), CUDA_SUCCESS);
    EXPECT_EQ(status_of(8, 4, 6, CUDA_ARRAY3D_CUBEMAP), CUDA_ERROR_INVALID_VALUE) << "not square";
    EXPECT_EQ(status_of(8, 8, 12, CUDA_ARRAY3D_CUBEMAP), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(8, 8, 12, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED), CUDA_SUCCESS);
    EXPECT_EQ(status_of(8, 8, 8, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(8, 0, 0, CUDA_ARRAY3D_TEXTURE_GATHER), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(8, 8, 0, CUDA_ARRAY3D_DEPTH_TEXTURE), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(8, 8, 0, 0x1000), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status_of(100000, 60000, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(SimArrayTest, RejectsCopiesBeyondARow) {
    const CUarray array = create(floats(16, 4));
    EXPECT_EQ(cuMemcpyHtoA(array, 4, host.data(), 60).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoA(array, 4, host.data(), 64).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(array, 64, host.data(), 4).status, CUDA_ERROR_INVALID_VALUE) << "starts in the second row";
    EXPECT_EQ(cuMemcpyHtoA(array, ~std::size_t{0}, host.data(), 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(array, 0, nullptr, 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(nullptr, 0, host.data(), 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(array, 999, host.data(), 0).status, CUDA_SUCCESS) << "zero bytes";
    const CUdeviceptr memory = allocate(64);
    EXPECT_EQ(cuMemcpyAtoD(memory, array, 4, 16).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoA(array, 32, memory, 16).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoA(array, 0, memory + 60, 8).status, CUDA_ERROR_INVALID_VALUE);
    const CUarray other = create(floats(4, 0));
    EXPECT_EQ(cuMemcpyAtoA(other, 0, array, 32, 16).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyAtoA(other, 0, array, 32, 20).status, CUDA_ERROR_INVALID_VALUE);
    std::vector<float> found(4);
    const CUstream stream = create_stream();
    EXPECT_EQ(cuMemcpyAtoHAsync(found.data(), other, 0, 16, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(found, (std::vector<float>{0, 1, 2, 3}));
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyAtoD(memory, array, 0, 4).status, CUDA_ERROR_INVALID_VALUE) << "destroyed";
}

TEST_F(SimArrayTest, CopiesBoxesInBothDirections) {
    const CUarray array = create(floats(4, 4, 4));
    CUDA_MEMCPY3D in{};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = host.data();
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = 16;
    in.Height = 4;
    in.Depth = 4;
    EXPECT_EQ(cuMemcpy3D(&in).status, CUDA_SUCCESS);
    CUDA_MEMCPY3D out{};
    std::vector<float> found(4);
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 4;
    out.srcY = 2;
    out.srcZ = 2;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = found.data();
    out.WidthInBytes = 8;
    out.Height = 1;
    out.Depth = 2;
    EXPECT_EQ(cuMemcpy3D(&out).status, CUDA_SUCCESS);
    EXPECT_EQ(found, (std::vector<float>{41, 42, 57, 58}));
    out.Depth = 3;
    EXPECT_EQ(cuMemcpy3D(&out).status, CUDA_ERROR_INVALID_VALUE);
    in.dstLOD = 1;
    EXPECT_EQ(cuMemcpy3D(&in).status, CUDA_ERROR_INVALID_VALUE);
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    plane.srcArray = array;
    plane.srcY = 1;
    plane.dstMemoryType = CU_MEMORYTYPE_HOST;
    plane.dstHost = found.data();
    plane.WidthInBytes = 4;
    plane.Height = 3;
    EXPECT_EQ(cuMemcpy2DUnaligned(&plane).status, CUDA_SUCCESS);
    EXPECT_EQ(found[2], 12);
    plane.srcY = 2;
    EXPECT_EQ(cuMemcpy2D(&plane).status, CUDA_ERROR_INVALID_VALUE) << "below the last row";
    plane.srcArray = nullptr;
    EXPECT_EQ(cuMemcpy2D(&plane).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimArrayTest, RemainsReadableForEnqueuedWorkAfterItsDestruction) {
    const CUarray array = create(floats(16, 0));
    EXPECT_EQ(cuMemcpyHtoA(array, 0, host.data(), 64).status, CUDA_SUCCESS);
    const CUdeviceptr memory = allocate(64);
    const CUstream stream = create_stream();
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = memory;
    copy.WidthInBytes = 64;
    copy.Height = 1;
    {
        Gate gate(stream);
        EXPECT_EQ(cuMemcpy2DAsync(&copy, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuArrayDestroy(array).status, CUDA_SUCCESS);
        const CUDA_ARRAY3D_DESCRIPTOR same = floats(16, 0);
        const CUarray other = create(same);
        const std::vector<float> zeros(16);
        EXPECT_EQ(cuMemcpyHtoA(other, 0, zeros.data(), 64).status, CUDA_SUCCESS);
    }
    float last = 0;
    EXPECT_EQ(cuMemcpyDtoH(&last, memory + 60, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(last, 15);
}

TEST_F(SimArrayTest, CountsTheRowsOfACompressedFormatInBlocks) {
    const CUDA_ARRAY_DESCRIPTOR descriptor = {64, 32, CU_AD_FORMAT_BC1_UNORM, 4};
    const CUarray array = cuArrayCreate(&descriptor).value;
    const std::vector<char> rows(128 * 9);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = rows.data();
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 128;
    copy.Height = 8;
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_SUCCESS);
    copy.Height = 9;
    EXPECT_EQ(cuMemcpy2D(&copy).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimArrayTest, HalvesEachMipmapLevel) {
    const CUDA_ARRAY3D_DESCRIPTOR descriptor = floats(64, 32);
    const CUmipmappedArray array = cuMipmappedArrayCreate(&descriptor, 100).value;
    const CUarray third = cuMipmappedArrayGetLevel(array, 2).value;
    EXPECT_EQ(cuMipmappedArrayGetLevel(array, 2).value, third);
    EXPECT_EQ(cuArrayGetDescriptor(third).value.Width, 16u);
    EXPECT_EQ(cuArrayGetDescriptor(third).value.Height, 8u);
    EXPECT_EQ(cuArrayGetDescriptor(cuMipmappedArrayGetLevel(array, 6).value).value.Height, 1u);
    EXPECT_EQ(cuMipmappedArrayGetLevel(array, 7).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(third, 0, host.data(), 64).status, CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(third).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyHtoA(third, 0, host.data(), 64).status, CUDA_SUCCESS) << "a level lives as long as its mipmapped array";
    EXPECT_EQ(cuMipmappedArrayDestroy(array).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMipmappedArrayDestroy(array).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemcpyHtoA(third, 0, host.data(), 64).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemGetInfo().value1, cuMemGetInfo().value2);
    const CUDA_ARRAY3D_DESCRIPTOR none = floats(0, 0);
    EXPECT_EQ(cuMipmappedArrayCreate(&none, 1).status, CUDA_ERROR_INVALID_VALUE);
    const CUDA_ARRAY3D_DESCRIPTOR layered = floats(4, 4, 5, CUDA_ARRAY3D_LAYERED);
    const CUarray second = cuMipmappedArrayGetLevel(cuMipmappedArrayCreate(&layered, 2).value, 1).value;
    EXPECT_EQ(cuArray3DGetDescriptor(second).value.Depth, 5u) << "every level has all layers";
}

TEST_F(SimArrayTest, HasPropertiesOfTheMappingsItAllows) {
    const CUarray deferred = create(floats(64, 64, 0, CUDA_ARRAY3D_DEFERRED_MAPPING));
    EXPECT_EQ(cuArrayGetMemoryRequirements(deferred, 0).value.alignment, 65536u);
    EXPECT_EQ(cuArrayGetMemoryRequirements(deferred, 9).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuArrayGetSparseProperties(deferred).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuArrayGetMemoryRequirements(create(floats(256, 256, 0, CUDA_ARRAY3D_SPARSE)), 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuArrayGetMemoryRequirements(create(floats(4, 4)), 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuArrayGetSparseProperties(create(floats(4, 4))).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimArrayTest, IsDestroyedWithItsContext) {
    const CUarray array = create(floats(4, 4));
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace cubind::testing
