// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>

#include <cstddef>
#include <numeric>
#include <vector>

#include "sim_test.hpp"

namespace cubind::testing {

/// Arrays to which the test maps memory of a pool of 8 MiB. Their elements are floats, and their tiles 128 x 128 elements.
class SparseArrayTest : public SimTest {
protected:
    static constexpr std::size_t tile = 65536;
    static constexpr std::size_t pool_bytes = 8 << 20;

    void SetUp() override {
        SimTest::SetUp();
        pool = create_memory(CU_MEM_CREATE_USAGE_TILE_POOL);
    }
    static CUmemGenericAllocationHandle create_memory(unsigned usage, int device = 0) {
        CUmemAllocationProp properties{};
        properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = device;
        properties.allocFlags.usage = static_cast<unsigned short>(usage);
        auto [status, handle] = cuMemCreate(pool_bytes, &properties, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return handle;
    }
    static CUDA_ARRAY3D_DESCRIPTOR shape(std::size_t width, std::size_t height, std::size_t depth = 0,
                                         int flags = CUDA_ARRAY3D_SPARSE) {
        return {width, height, depth, CU_AD_FORMAT_FLOAT, 1, static_cast<unsigned>(flags)};
    }
    static CUarray create(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
        auto [status, array] = cuArray3DCreate(&descriptor);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return array;
    }
    static CUmipmappedArray create_levels(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels = 99) {
        auto [status, array] = cuMipmappedArrayCreate(&descriptor, levels);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return array;
    }
    static CUarray level_of(CUmipmappedArray array, unsigned level) { return cuMipmappedArrayGetLevel(array, level).value; }

    /// Returns an operation that maps the pool, from `offset` on, to the tile of an array at (x, y).
    CUarrayMapInfo map_tile(CUarray array, unsigned x, unsigned y, std::size_t offset = 0, unsigned layer = 0) const {
        CUarrayMapInfo info{};
        info.resourceType = CU_RESOURCE_TYPE_ARRAY;
        info.resource.array = array;
        info.subresource.sparseLevel = {0, layer, x, y, 0, 128, 128, 1};
        return with_memory(info, offset);
    }
    /// Returns an operation that maps the pool to the tail of a mipmapped array.
    CUarrayMapInfo map_tail(CUmipmappedArray array, std::size_t size, std::size_t offset = 0, unsigned layer = 0) const {
        CUarrayMapInfo info{};
        info.resourceType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        info.resource.mipmap = array;
        info.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
        info.subresource.miptail = {layer, 0, size};
        return with_memory(info, offset);
    }
    CUarrayMapInfo with_memory(CUarrayMapInfo info, std::size_t offset) const {
        info.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
        info.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
        info.memHandle.memHandle = pool;
        info.offset = offset;
        info.deviceBitMask = 1;
        return info;
    }
    static CUarrayMapInfo unmap(CUarrayMapInfo info) {
        info.memOperationType = CU_MEM_OPERATION_TYPE_UNMAP;
        info.memHandle.memHandle = 0;
        return info;
    }
    static CUresult perform(CUarrayMapInfo info, CUstream stream = nullptr) {
        return cuMemMapArrayAsync(&info, 1, stream).status;
    }

    /// Copies between rows of `width` elements in host memory and one slice of an array.
    static CUresult copy(CUarray array, std::vector<float>& host, std::size_t width, std::size_t slice, bool is_written) {
        CUDA_MEMCPY3D copy{};
        (is_written ? copy.srcMemoryType : copy.dstMemoryType) = CU_MEMORYTYPE_HOST;
        (is_written ? copy.dstMemoryType : copy.srcMemoryType) = CU_MEMORYTYPE_ARRAY;
        if (is_written) {
            copy.srcHost = host.data();
        } else {
            copy.dstHost = host.data();
        }
        (is_written ? copy.dstArray : copy.srcArray) = array;
        (is_written ? copy.dstZ : copy.srcZ) = slice;
        copy.WidthInBytes = 4 * width;
        copy.Height = host.size() / width;
        copy.Depth = 1;
        return cuMemcpy3D(&copy).status;
    }
    /// Writes the numbers from `first` on to a slice of an array.
    static void write(CUarray array, std::size_t width, std::size_t height, float first, std::size_t slice = 0) {
        std::vector<float> host(width * height);
        std::iota(host.begin(), host.end(), first);
        EXPECT_EQ(copy(array, host, width, slice, true), CUDA_SUCCESS);
    }
    static std::vector<float> read(CUarray array, std::size_t width, std::size_t height, std::size_t slice = 0) {
        std::vector<float> host(width * height, -1);
        EXPECT_EQ(copy(array, host, width, slice, false), CUDA_SUCCESS);
        return host;
    }

    CUmemGenericAllocationHandle pool = 0;
};

}  // namespace cubind::testing
