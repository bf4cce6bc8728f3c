// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What copies and kernels find in arrays to which a program maps memory. An H100 gives the same answers.
#include <gmock/gmock.h>

#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using SparseMemoryTest = SparseArrayTest;

TEST_F(SparseMemoryTest, ReadsZerosAndLosesWritesWithoutMemory) {
    const CUarray array = create(shape(300, 256));
    write(array, 300, 256, 1);
    EXPECT_EQ(read(array, 300, 256), std::vector<float>(300 * 256));
    EXPECT_EQ(perform(map_tile(array, 128, 0)), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 256), std::vector<float>(300 * 256)) << "new memory is zero";
    write(array, 300, 256, 1);
    const std::vector<float> found = read(array, 300, 256);
    for (std::size_t y = 0; y < 256; ++y) {
        for (std::size_t x = 0; x < 300; ++x) {
            const bool is_mapped = x >= 128 && x < 256 && y < 128;
            ASSERT_EQ(found[y * 300 + x], is_mapped ? static_cast<float>(y * 300 + x + 1) : 0.0f) << x << ", " << y;
        }
    }
    EXPECT_EQ(perform(unmap(map_tile(array, 128, 0))), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 256), std::vector<float>(300 * 256));
    EXPECT_EQ(perform(map_tile(array, 128, 0)), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 1)[128], 129) << "the memory keeps its contents";
}

TEST_F(SparseMemoryTest, SharesTheMemoryOfTiles) {
    const CUarray first = create(shape(512, 512));
    const CUarray second = create(shape(512, 512));
    EXPECT_EQ(perform(map_tile(first, 0, 0, 3 * tile)), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tile(first, 256, 128, 3 * tile)), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tile(second, 128, 0, 3 * tile)), CUDA_SUCCESS);
    write(first, 512, 128, 1);
    const std::vector<float> found = read(second, 512, 512);
    EXPECT_EQ(found[127], 0);
    EXPECT_EQ(found[128], 1);
    EXPECT_EQ(found[512 + 130], 515);
    EXPECT_EQ(read(first, 512, 512)[128 * 512 + 256], 1);
}

TEST_F(SparseMemoryTest, MapsRegionsInTheOrderOfRows) {
    const CUarray array = create(shape(300, 256));
    CUarrayMapInfo all = map_tile(array, 0, 0);
    all.subresource.sparseLevel.extentWidth = 300;
    all.subresource.sparseLevel.extentHeight = 256;
    EXPECT_EQ(perform(all), CUDA_SUCCESS);
    write(array, 300, 256, 0);
    const CUarray other = create(shape(128, 128));
    EXPECT_EQ(perform(map_tile(other, 0, 0, tile)), CUDA_SUCCESS);
    EXPECT_EQ(read(other, 128, 1)[0], 128) << "the second tile of the first row";
    EXPECT_EQ(perform(map_tile(other, 0, 0, 3 * tile)), CUDA_SUCCESS);
    EXPECT_EQ(read(other, 128, 1)[0], 128 * 300) << "the first tile of the second row";
    EXPECT_EQ(perform(unmap(all)), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 256), std::vector<float>(300 * 256));
}

TEST_F(SparseMemoryTest, CopiesBetweenArraysAndDeviceMemory) {
    const CUarray sparse = create(shape(256, 128));
    const CUarray dense = create(shape(256, 128, 0, 0));
    EXPECT_EQ(perform(map_tile(sparse, 128, 0)), CUDA_SUCCESS);
    write(dense, 256, 128, 1);
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = dense;
    copy.dstArray = sparse;
    copy.WidthInBytes = 4 * 256;
    copy.Height = 128;
    copy.Depth = 1;
    EXPECT_EQ(cuMemcpy3DAsync(&copy, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    std::swap(copy.srcArray, copy.dstArray);
    EXPECT_EQ(cuMemcpy3D(&copy).status, CUDA_SUCCESS);
    const std::vector<float> found = read(dense, 256, 128);
    EXPECT_EQ(found[127], 0);
    EXPECT_EQ(found[128], 129);
    EXPECT_EQ(found[256 + 255], 512);
    std::vector<float> linear(256, -1);
    EXPECT_EQ(cuMemcpyAtoH(linear.data(), sparse, 4 * 120, 4 * 20).status, CUDA_SUCCESS);
    EXPECT_EQ(linear[7], 0);
    EXPECT_EQ(linear[8], 129);
    EXPECT_EQ(cuMemcpyAtoH(linear.data(), sparse, 4 * 200, 4 * 57).status, CUDA_ERROR_INVALID_VALUE) << "beyond the row";
}

TEST_F(SparseMemoryTest, KeepsReleasedMemoryWhileItIsMapped) {
    const std::size_t used = cuMemGetInfo().value1;
    const CUarray array = create(shape(512, 512));
    EXPECT_EQ(perform(map_tile(array, 0, 0)), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(pool).status, CUDA_SUCCESS);
    write(array, 512, 128, 1);
    EXPECT_EQ(read(array, 512, 1)[1], 2);
    EXPECT_EQ(cuMemGetInfo().value1, used);
    EXPECT_EQ(perform(unmap(map_tile(array, 0, 0))), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, used + pool_bytes);
    pool = create_memory(CU_MEM_CREATE_USAGE_TILE_POOL);
    EXPECT_EQ(perform(map_tile(array, 0, 0)), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 512, 1)[1], 0);
    EXPECT_EQ(cuMemRelease(pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemGetInfo().value1, used + pool_bytes) << "the array had the last mapping";
}

TEST_F(SparseMemoryTest, KeepsMemoryForSubmittedMappings) {
    const CUarray array = create(shape(512, 512));
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr flag = allocate(4);
    EXPECT_EQ(cuMemsetD32(flag, 0, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(stream, flag, 1, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tile(array, 0, 0), stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(pool).status, CUDA_SUCCESS);
    write(array, 512, 1, 1);
    EXPECT_EQ(read(array, 512, 1)[0], 0) << "the stream waits before the mapping";
    EXPECT_EQ(cuMemsetD32(flag, 1, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    write(array, 512, 1, 1);
    EXPECT_EQ(read(array, 512, 1)[0], 1);
    EXPECT_EQ(perform(map_tile(array, 0, 0), stream), CUDA_ERROR_INVALID_VALUE) << "the handle was released";
}

TEST_F(SparseMemoryTest, ReplacesMemoryInTheOrderOfTheList) {
    const CUarray array = create(shape(512, 512));
    CUarrayMapInfo infos[] = {map_tile(array, 0, 0, 4 * tile), map_tile(array, 0, 0, 5 * tile),
                              map_tile(array, 128, 0, 4 * tile)};
    EXPECT_EQ(cuMemMapArrayAsync(infos, 3, nullptr).status, CUDA_SUCCESS);
    write(array, 512, 1, 1);
    EXPECT_EQ(read(array, 512, 1)[128], 129);
    EXPECT_EQ(read(array, 512, 1)[0], 1) << "the second operation replaced the memory of the first one";
}

TEST_F(SparseMemoryTest, HasLayersAndVolumes) {
    const CUarray layered = create(shape(256, 256, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED));
    EXPECT_EQ(perform(map_tile(layered, 0, 128, 0, 2)), CUDA_SUCCESS);
    write(layered, 256, 256, 1, 2);
    write(layered, 256, 256, 1, 1);
    EXPECT_EQ(read(layered, 256, 256, 2)[128 * 256], 128 * 256 + 1);
    EXPECT_EQ(read(layered, 256, 256, 2)[0], 0);
    EXPECT_EQ(read(layered, 256, 256, 1), std::vector<float>(256 * 256));
    const CUarray volume = create(shape(64, 64, 40));
    CUarrayMapInfo info = map_tile(volume, 32, 0, 0);
    info.subresource.sparseLevel.offsetZ = 16;
    info.subresource.sparseLevel.extentWidth = info.subresource.sparseLevel.extentHeight = 32;
    info.subresource.sparseLevel.extentDepth = 24;
    EXPECT_EQ(perform(info), CUDA_SUCCESS);
    for (std::size_t z = 0; z < 40; ++z) write(volume, 64, 64, static_cast<float>(z * 10000), z);
    for (std::size_t z = 0; z < 40; ++z) {
        const std::vector<float> found = read(volume, 64, 64, z);
        const auto expected = z >= 16 ? static_cast<float>(z * 10000 + 31 * 64 + 32) : 0.0f;
        EXPECT_EQ(found[31 * 64 + 32], expected) << z;
        EXPECT_EQ(found[32 * 64 + 32], 0) << z;
        EXPECT_EQ(found[31], 0) << z;
    }
}

TEST_F(SparseMemoryTest, HasTailsOfLevels) {
    const CUmipmappedArray levels = create_levels(shape(1024, 1024, 2, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED));
    const CUarray first = level_of(levels, 4);
    write(first, 64, 64, 1);
    EXPECT_EQ(read(first, 64, 64), std::vector<float>(64 * 64));
    EXPECT_EQ(perform(map_tail(levels, tile, 0, 0)), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tail(levels, tile, tile, 1)), CUDA_SUCCESS);
    for (unsigned level = 4; level <= 10; ++level) {
        const std::size_t side = 1024u >> level;
        for (std::size_t layer = 0; layer < 2; ++layer)
            write(level_of(levels, level), side, side, static_cast<float>(10000 * level + 100000 * layer), layer);
    }
    for (unsigned level = 4; level <= 10; ++level) {
        const std::size_t side = 1024u >> level;
        for (std::size_t layer = 0; layer < 2; ++layer) {
            const std::vector<float> found = read(level_of(levels, level), side, side, layer);
            EXPECT_EQ(found.front(), static_cast<float>(10000 * level + 100000 * layer));
            EXPECT_EQ(found.back(), found.front() + static_cast<float>(side * side - 1));
        }
    }
    EXPECT_EQ(perform(unmap(map_tail(levels, tile, 0, 1))), CUDA_SUCCESS);
    EXPECT_EQ(read(first, 64, 64, 1), std::vector<float>(64 * 64));
    EXPECT_EQ(read(first, 64, 64, 0)[1], 40001) << "the tail of another layer";
    EXPECT_EQ(cuMipmappedArrayDestroy(levels).status, CUDA_SUCCESS);
}

TEST_F(SparseMemoryTest, HasTailsInSeveralTiles) {
    const CUmipmappedArray levels = create_levels(shape(100, 100, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED));
    CUarrayMapInfo part = map_tail(levels, tile);
    part.subresource.miptail.offset = tile;
    EXPECT_EQ(perform(part), CUDA_SUCCESS);
    const CUarray first = level_of(levels, 0);
    write(first, 100, 100, 1, 0);
    write(first, 100, 100, 1, 1);
    EXPECT_EQ(read(first, 100, 100, 0), std::vector<float>(100 * 100)) << "layer 0 is in the first tile";
    EXPECT_EQ(read(first, 100, 100, 1)[0], 1);
    EXPECT_EQ(perform(map_tail(levels, 4 * tile)), CUDA_SUCCESS);
    write(first, 100, 100, 5, 2);
    EXPECT_EQ(read(first, 100, 100, 2).back(), 10004);
}

TEST_F(SparseMemoryTest, MapsTheWholeArrayLater) {
    const CUarray array = create(shape(300, 300, 0, CUDA_ARRAY3D_DEFERRED_MAPPING));
    CUarrayMapInfo info = map_tile(array, 9, 9);
    info.subresourceType = static_cast<CUarraySparseSubresourceType>(7);  // ignored, as the region
    const auto status = [&](std::size_t offset) {
        info.offset = offset;
        return perform(info);
    };
    EXPECT_EQ(status(4096), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(pool_bytes - tile), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0), CUDA_SUCCESS);
    write(array, 300, 300, 1);
    EXPECT_EQ(read(array, 300, 300).back(), 90000);
    EXPECT_EQ(status(2 << 20), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 300), std::vector<float>(90000));
    EXPECT_EQ(status(0), CUDA_SUCCESS);
    EXPECT_EQ(read(array, 300, 300).back(), 90000);
    const CUmipmappedArray levels = create_levels(shape(256, 256, 0, CUDA_ARRAY3D_DEFERRED_MAPPING));
    CUarrayMapInfo all = map_tail(levels, 0, 4 << 20);
    EXPECT_EQ(perform(all), CUDA_SUCCESS);
    write(level_of(levels, 1), 128, 128, 1);
    write(level_of(levels, 0), 256, 256, 1);
    EXPECT_EQ(read(level_of(levels, 1), 128, 128).back(), 128 * 128);
    EXPECT_EQ(perform(map_tile(level_of(levels, 1), 0, 0)), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SparseMemoryTest, StatesTheMemoryOfALaterMapping) {
    const auto bytes = [](const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
        return cuArrayGetMemoryRequirements(create(descriptor), 0).value.size;
    };
    constexpr int deferred = CUDA_ARRAY3D_DEFERRED_MAPPING;
    EXPECT_EQ(bytes(shape(64, 64, 0, deferred)), 65536u);
    EXPECT_EQ(bytes(shape(512, 0, 0, deferred)), 65536u);
    EXPECT_EQ(bytes(shape(300, 300, 0, deferred)), 524288u);
    EXPECT_EQ(bytes(shape(100, 100, 20, deferred)), 1507328u);
    EXPECT_EQ(bytes(shape(512, 512, 3, deferred | CUDA_ARRAY3D_LAYERED)), 3145728u);
    EXPECT_EQ(bytes(shape(64, 64, 6, deferred | CUDA_ARRAY3D_CUBEMAP)), 131072u);
    const auto of_levels = [](unsigned levels) {
        const CUmipmappedArray array = create_levels(shape(1024, 1024, 0, deferred), levels);
        EXPECT_EQ(cuArrayGetMemoryRequirements(level_of(array, 0), 0).status, CUDA_ERROR_INVALID_VALUE);
        return cuMipmappedArrayGetMemoryRequirements(array, 0).value.size;
    };
    EXPECT_EQ(of_levels(1), 4194304u);
    EXPECT_EQ(of_levels(4), 5570560u);
    EXPECT_EQ(of_levels(5), 5636096u);
    EXPECT_EQ(of_levels(11), 5636096u);
    EXPECT_EQ(cuMipmappedArrayGetMemoryRequirements(create_levels(shape(256, 256)), 0).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SparseMemoryTest, FailsWithoutTheMemoryOfALaterMapping) {
    const CUarray array = create(shape(300, 300, 0, CUDA_ARRAY3D_DEFERRED_MAPPING));
    std::vector<float> host(300);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(copy(array, host, 300, 0, true), CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("cuMemMapArrayAsync"));
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_LAUNCH_FAILED);
}

// Reads the texels (0, 0), (200, 0) and (129, 5) of a texture, and writes 7 at the beginning of a surface if its handle is not 0.
constexpr const char* texture_text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry access(.param .u64 texture, .param .u64 surface, .param .u64 out) {
    .reg .pred %p;
    .reg .f32 %u, %v, %d<4>;
    .reg .b32 %x;
    .reg .b64 %t, %s, %o;
    ld.param.u64 %t, [texture];
    ld.param.u64 %s, [surface];
    ld.param.u64 %o, [out];
    setp.eq.u64 %p, %s, 0;
    @%p bra reads;
    mov.b32 %x, 0;
    mov.f32 %d0, 0f40e00000;
    sust.b.2d.b32.trap [%s, {%x, %x}], {%d0};
reads:
    mov.f32 %u, 0f00000000;
    tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%u, %u}];
    st.global.f32 [%o], %d0;
    mov.f32 %u, 0f43480000;
    mov.f32 %v, 0f00000000;
    tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%u, %v}];
    st.global.f32 [%o + 4], %d0;
    mov.f32 %u, 0f43010000;
    mov.f32 %v, 0f40a00000;
    tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%u, %v}];
    st.global.f32 [%o + 8], %d0;
    ret;
}
)";

class SparseTextureTest : public SparseArrayTest {
protected:
    void SetUp() override {
        SparseArrayTest::SetUp();
        function = cuModuleGetFunction(cuModuleLoadData(texture_text).value, "access").value;
        out = allocate(12);
    }
    CUresult run(CUarray array, bool has_surface) {
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        const CUDA_TEXTURE_DESC sampling{};
        CUtexObject texture = cuTexObjectCreate(&resource, &sampling, nullptr).value;
        CUsurfObject surface = has_surface ? cuSurfObjectCreate(&resource).value : 0;
        void* parameters[] = {&texture, &surface, &out};
        const CUresult status = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr).status;
        return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
    }
    std::vector<float> results() const {
        std::vector<float> values(3);
        EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), out, 12).status, CUDA_SUCCESS);
        return values;
    }
    CUfunction function = nullptr;
    CUdeviceptr out = 0;
};

TEST_F(SparseTextureTest, ReadsMappedTilesAndZeros) {
    const CUarray array = create(shape(256, 256));
    EXPECT_EQ(run(array, false), CUDA_SUCCESS);
    EXPECT_EQ(results(), (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(perform(map_tile(array, 128, 0)), CUDA_SUCCESS);
    write(array, 256, 256, 1);
    EXPECT_EQ(run(array, false), CUDA_SUCCESS);
    EXPECT_EQ(results(), (std::vector<float>{0, 201, 1410}));
    EXPECT_EQ(perform(map_tile(array, 0, 0, tile)), CUDA_SUCCESS);
    EXPECT_EQ(perform(unmap(map_tile(array, 128, 0))), CUDA_SUCCESS);
    write(array, 256, 256, 1);
    EXPECT_EQ(run(array, false), CUDA_SUCCESS);
    EXPECT_EQ(results(), (std::vector<float>{1, 0, 0}));
}

TEST_F(SparseTextureTest, AccessesArraysThatWereMappedLater) {
    const CUarray array = create(shape(256, 256, 0, CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_SURFACE_LDST));
    EXPECT_EQ(perform(map_tile(array, 0, 0)), CUDA_SUCCESS);
    write(array, 256, 256, 1);
    EXPECT_EQ(run(array, true), CUDA_SUCCESS);
    EXPECT_EQ(results(), (std::vector<float>{7, 201, 1410}));
    EXPECT_EQ(read(array, 256, 1)[0], 7);
    EXPECT_EQ(perform(unmap(map_tile(array, 0, 0))), CUDA_SUCCESS);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run(array, true), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("has no memory"));
}

TEST_F(SparseTextureTest, LosesWritesOfSurfacesWithoutMemory) {
    const CUarray array = create(shape(256, 256));
    EXPECT_EQ(run(array, true), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tile(array, 0, 0)), CUDA_SUCCESS);
    EXPECT_EQ(run(array, true), CUDA_SUCCESS);
    EXPECT_EQ(results()[0], 7);
}

TEST_F(SparseMemoryTest, IsSafeInAnyOrderOfDestruction) {
    const CUarray array = create(shape(512, 512));
    const CUmipmappedArray levels = create_levels(shape(512, 512));
    EXPECT_EQ(perform(map_tile(array, 0, 0)), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tail(levels, tile)), CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(array).status, CUDA_SUCCESS);
    EXPECT_EQ(perform(unmap(map_tile(array, 0, 0))), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemRelease(pool).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMipmappedArrayDestroy(levels).status, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace cubind::testing
