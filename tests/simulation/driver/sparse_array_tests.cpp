// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Properties of sparse arrays, and right and wrong mappings of memory to them. An H100 gives the same answers.
#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

/// The properties of an array, and of the mipmapped array of the same shape with all levels.
struct Expected {
    CUDA_ARRAY3D_DESCRIPTOR shape;
    std::vector<unsigned> tile;
    unsigned long long array_size;
    unsigned first_tail_level;
    unsigned long long tail_size;
    unsigned flags;
};

TEST_F(SparseArrayTest, HasTheTilesOfAGpu) {
    constexpr unsigned sparse = CUDA_ARRAY3D_SPARSE;
    constexpr unsigned layered = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED;
    constexpr CUarray_format u8 = CU_AD_FORMAT_UNSIGNED_INT8;
    constexpr CUarray_format u16 = CU_AD_FORMAT_UNSIGNED_INT16;
    constexpr CUarray_format f32 = CU_AD_FORMAT_FLOAT;
    const Expected rows[] = {
        {{2048, 2048, 0, u8, 1, sparse}, {256, 256, 1}, 0, 4, 65536, 0},
        {{2048, 2048, 0, u8, 2, sparse}, {256, 128, 1}, 0, 4, 65536, 0},
        {{2048, 2048, 0, f32, 1, sparse}, {128, 128, 1}, 0, 5, 65536, 0},
        {{2048, 2048, 0, f32, 2, sparse}, {128, 64, 1}, 0, 5, 65536, 0},
        {{2048, 2048, 0, f32, 4, sparse}, {64, 64, 1}, 0, 6, 65536, 0},
        {{2048, 2048, 0, CU_AD_FORMAT_BC1_UNORM, 4, sparse}, {512, 256, 1}, 0, 3, 65536, 0},
        {{2048, 2048, 0, CU_AD_FORMAT_BC7_UNORM, 4, sparse}, {256, 256, 1}, 0, 4, 65536, 0},
        {{300, 300, 300, u8, 1, sparse}, {64, 32, 32}, 0, 3, 393216, 0},
        {{300, 300, 300, u16, 1, sparse}, {32, 32, 32}, 0, 4, 131072, 0},
        {{300, 300, 300, f32, 1, sparse}, {32, 32, 16}, 0, 4, 196608, 0},
        {{300, 300, 300, f32, 2, sparse}, {32, 16, 16}, 0, 4, 262144, 0},
        {{300, 300, 300, f32, 4, sparse}, {16, 16, 16}, 0, 5, 65536, 0},
        {{1000, 700, 0, f32, 1, sparse}, {128, 128, 1}, 0, 3, 131072, 0},
        {{1000, 700, 3, f32, 1, layered}, {128, 128, 1}, 0, 3, 131072, 0},
        {{129, 128, 0, f32, 1, sparse}, {128, 128, 1}, 0, 1, 65536, 0},
        {{100, 100, 0, f32, 1, sparse}, {128, 128, 1}, 65536, 0, 131072, 1},
        {{100, 100, 3, f32, 1, layered}, {128, 128, 1}, 196608, 0, 262144, 1},
        {{4096, 64, 0, f32, 1, sparse}, {128, 128, 1}, 1048576, 0, 1441792, 1},
        {{300, 300, 8, f32, 1, sparse}, {32, 32, 16}, 3014656, 0, 3473408, 1},
        {{32, 32, 16, f32, 1, sparse}, {32, 32, 16}, 0, 1, 65536, 0},
    };
    for (const Expected& row : rows) {
        const auto text = std::to_string(row.shape.Width) + " x " + std::to_string(row.shape.Height) + " x " +
                          std::to_string(row.shape.Depth) + ", format " + std::to_string(row.shape.Format);
        const auto of_array = cuArrayGetSparseProperties(create(row.shape)).value;
        EXPECT_EQ((std::vector{of_array.tileExtent.width, of_array.tileExtent.height, of_array.tileExtent.depth}), row.tile)
            << text;
        EXPECT_EQ(of_array.miptailSize, row.array_size) << text;
        EXPECT_EQ(of_array.miptailFirstLevel, 0u) << text;
        EXPECT_EQ(of_array.flags, row.flags) << text;
        const auto of_levels = cuMipmappedArrayGetSparseProperties(create_levels(row.shape)).value;
        EXPECT_EQ((std::vector{of_levels.tileExtent.width, of_levels.tileExtent.height, of_levels.tileExtent.depth}), row.tile);
        EXPECT_EQ(of_levels.miptailFirstLevel, row.first_tail_level) << text;
        EXPECT_EQ(of_levels.miptailSize, row.tail_size) << text;
        EXPECT_EQ(of_levels.flags, row.flags) << text;
    }
    const auto without_tail = cuMipmappedArrayGetSparseProperties(create_levels(shape(1024, 1024), 4)).value;
    EXPECT_EQ(without_tail.miptailFirstLevel, 4u);
    EXPECT_EQ(without_tail.miptailSize, 0u);
    EXPECT_EQ(cuArrayGetSparseProperties(level_of(create_levels(shape(256, 256)), 0)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SparseArrayTest, ExistsOnlyWithoutSurfacesAndCubes) {
    const auto status = [](std::size_t depth, int flags) {
        const CUDA_ARRAY3D_DESCRIPTOR descriptor = shape(256, 256, depth, CUDA_ARRAY3D_SPARSE | flags);
        return cuArray3DCreate(&descriptor).status;
    };
    EXPECT_EQ(status(0, CUDA_ARRAY3D_TEXTURE_GATHER), CUDA_SUCCESS);
    EXPECT_EQ(status(6, CUDA_ARRAY3D_LAYERED), CUDA_SUCCESS);
    EXPECT_EQ(status(0, CUDA_ARRAY3D_SURFACE_LDST), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(6, CUDA_ARRAY3D_CUBEMAP), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0, CUDA_ARRAY3D_DEFERRED_MAPPING), CUDA_ERROR_INVALID_VALUE);
    const CUDA_ARRAY3D_DESCRIPTOR line = shape(256, 0);
    EXPECT_EQ(cuArray3DCreate(&line).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SparseArrayTest, MapsOnlyWholeTilesThatExist) {
    const CUarray array = create(shape(300, 256));
    const auto status = [&](auto change) {
        CUarrayMapInfo info = map_tile(array, 0, 0);
        change(info, info.subresource.sparseLevel);
        return perform(info);
    };
    using Info = CUarrayMapInfo;
    EXPECT_EQ(status([](Info&, auto& level) { level.extentWidth = 300; }), CUDA_SUCCESS);
    EXPECT_EQ(status([](Info&, auto& level) { level.offsetX = 256, level.extentWidth = 44; }), CUDA_SUCCESS);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentWidth = 384; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentWidth = 100; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentWidth = 0; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.offsetX = 64; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.offsetX = 384; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.offsetX = 256; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentHeight = 384; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentDepth = 0; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.extentDepth = 2; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.offsetZ = 1; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.layer = 1; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info&, auto& level) { level.level = 1; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info, auto&) { info.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL; }),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info, auto&) { info.subresourceType = static_cast<CUarraySparseSubresourceType>(2); }),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info, auto&) { info.resourceType = CU_RESOURCE_TYPE_LINEAR; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info, auto&) { info.resourceType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info, auto&) { info.resource.array = nullptr; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(perform(map_tile(create(shape(256, 256, 0, 0)), 0, 0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(perform(map_tile(level_of(create_levels(shape(256, 256)), 0), 0, 0)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(perform(map_tile(create(shape(256, 256, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED)), 0, 0, 0, 3)),
              CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SparseArrayTest, RefusesADeviceThatNoMaskCanName) {
    sim::uninstall();
    sim::install({.devices = 33});
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
    for (const int device : {31, 32}) {
        ASSERT_EQ(cuCtxCreate_v2(0, device).status, CUDA_SUCCESS);
        pool = create_memory(CU_MEM_CREATE_USAGE_TILE_POOL, device);
        CUarrayMapInfo info = map_tile(create(shape(256, 256)), 0, 0);
        info.deviceBitMask = device == 31 ? 1u << 31 : 1u;
        EXPECT_EQ(perform(info), device == 31 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) << device;
    }
}

TEST_F(SparseArrayTest, MapsOnlyMemoryForTilesOfTheDevice) {
    const CUarray array = create(shape(300, 256));
    const auto status = [&](auto change, bool is_map = true) {
        CUarrayMapInfo info = map_tile(array, 0, 0);
        if (!is_map) info = unmap(info);
        change(info);
        return perform(info);
    };
    using Info = CUarrayMapInfo;
    EXPECT_EQ(status([](Info& info) { info.offset = pool_bytes - tile; }), CUDA_SUCCESS);
    EXPECT_EQ(status([](Info& info) { info.offset = pool_bytes; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.offset = 4096; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.offset = pool_bytes - 2 * tile, info.subresource.sparseLevel.extentWidth = 300; }),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.deviceBitMask = 0; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.deviceBitMask = 2; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.deviceBitMask = 3; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.flags = 1; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.reserved[1] = 1; }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.memHandleType = static_cast<CUmemHandleType>(1); }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.memOperationType = static_cast<CUmemOperationType>(0); }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.memHandle.memHandle = create_memory(0); }), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.memHandle.memHandle = create_memory(CU_MEM_CREATE_USAGE_TILE_POOL, 1); }),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.memHandle.memHandle = 0; }), CUDA_ERROR_INVALID_VALUE);
    // An operation that removes memory ignores the memory.
    EXPECT_EQ(status([](Info& info) { info.offset = 123; }, false), CUDA_SUCCESS);
    EXPECT_EQ(status([](Info& info) { info.memHandleType = static_cast<CUmemHandleType>(1); }, false), CUDA_SUCCESS);
    EXPECT_EQ(status([&](Info& info) { info.memHandle.memHandle = pool; }, false), CUDA_SUCCESS);
    EXPECT_EQ(status([](Info& info) { info.deviceBitMask = 0; }, false), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status([](Info& info) { info.subresource.sparseLevel.offsetX = 64; }, false), CUDA_ERROR_INVALID_VALUE);
    const CUdeviceptr address = cuMemAddressReserve(pool_bytes, 0, 0, 0).value;
    EXPECT_EQ(cuMemMap(address, pool_bytes, 0, pool, 0).status, CUDA_ERROR_INVALID_VALUE) << "memory for tiles has no address";
}

TEST_F(SparseArrayTest, ChecksTheListAndTheStream) {
    const CUarray array = create(shape(300, 256));
    CUarrayMapInfo infos[] = {map_tile(array, 0, 0), map_tile(array, 64, 0)};
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    EXPECT_EQ(cuMemMapArrayAsync(infos, 0, stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemMapArrayAsync(nullptr, 1, stream).status, CUDA_ERROR_INVALID_VALUE);
    write(array, 300, 256, 1);
    EXPECT_EQ(cuMemMapArrayAsync(infos, 2, stream).status, CUDA_ERROR_INVALID_VALUE);
    write(array, 300, 256, 1);
    EXPECT_EQ(read(array, 300, 1)[1], 0) << "a list with a wrong operation maps nothing";
    EXPECT_EQ(cuMemMapArrayAsync(infos, 1, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMapArrayAsync(infos, 1, CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMapArrayAsync_ptsz(infos, 1, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMapArrayAsync(infos + 1, 1, stream).status, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamEndCapture(stream).status, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMapArrayAsync(infos, 1, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemMapArrayAsync(infos, 1, nullptr).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuMemMapArrayAsync(nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
}

TEST_F(SparseArrayTest, MapsTailsInWholeTiles) {
    const CUmipmappedArray levels = create_levels(shape(1024, 1024, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED));
    const auto status = [&](unsigned layer, std::size_t offset, std::size_t size) {
        CUarrayMapInfo info = map_tail(levels, size, 0, layer);
        info.subresource.miptail.offset = offset;
        return perform(info);
    };
    EXPECT_EQ(status(2, 0, tile), CUDA_SUCCESS);
    EXPECT_EQ(status(3, 0, tile), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0, 0, 2 * tile), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0, 0, 4096), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(status(0, tile, tile), CUDA_ERROR_INVALID_VALUE);
    CUarrayMapInfo region = map_tail(levels, tile);
    region.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    region.subresource.sparseLevel = {3, 2, 0, 0, 0, 128, 128, 1};
    EXPECT_EQ(perform(region), CUDA_SUCCESS);
    region.subresource.sparseLevel.layer = 3;
    EXPECT_EQ(perform(region), CUDA_ERROR_INVALID_VALUE);
    region.subresource.sparseLevel = {4, 0, 0, 0, 0, 64, 64, 1};
    EXPECT_EQ(perform(region), CUDA_ERROR_INVALID_VALUE) << "a level of the tail has no tiles of its own";
    const CUmipmappedArray small = create_levels(shape(100, 100, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED));
    EXPECT_EQ(perform(map_tail(small, 4 * tile)), CUDA_SUCCESS);
    EXPECT_EQ(perform(map_tail(small, 4 * tile, 0, 1)), CUDA_ERROR_INVALID_VALUE) << "all layers share the tail";
    CUarrayMapInfo part = map_tail(small, tile);
    part.subresource.miptail.offset = tile;
    EXPECT_EQ(perform(part), CUDA_SUCCESS);
    CUarrayMapInfo array = map_tile(create(shape(100, 100)), 0, 0);
    array.subresource.sparseLevel.extentWidth = array.subresource.sparseLevel.extentHeight = 100;
    EXPECT_EQ(perform(array), CUDA_ERROR_INVALID_VALUE);
    array.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
    array.subresource.miptail = {0, 0, tile};
    EXPECT_EQ(perform(array), CUDA_SUCCESS) << "an array without a whole tile is mapped like a tail";
}

}  // namespace
}  // namespace cubind::testing
