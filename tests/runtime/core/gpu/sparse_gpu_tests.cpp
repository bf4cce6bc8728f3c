// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory that is mapped to tiles of sparse arrays.

#include <cubind/core.hpp>
#include <cubind/core/array/sparse_mapping.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

class SparseGpuTest : public DeviceGpuTest {
protected:
    void SetUp() override {
        DeviceGpuTest::SetUp();
        if (!IsSkipped() && !device->properties().sparse_cuda_array_supported()) GTEST_SKIP() << "no sparse arrays";
    }
};

TEST_F(SparseGpuTest, StoresWhatIsCopiedToMappedTiles) {
    const Array image = device->create_array({.format = ArrayFormat::of<float>(), .width = 512, .height = 512, .sparse = true});
    const SparseProperties properties = sparse_properties(image);
    EXPECT_EQ(properties.tile.width * properties.tile.height * properties.tile.depth * sizeof(float),
              SparseProperties::tile_size);
    const TilePool pool(*device, 2 * SparseProperties::tile_size);
    const SparseRegion region{{properties.tile.width, properties.tile.height},
                              {2 * properties.tile.width, properties.tile.height}};
    map_sparse(stream, {SparseMapping::map(image, region, pool, 0)});

    std::vector<float> written(region.extent.width * region.extent.height), read(written.size());
    std::iota(written.begin(), written.end(), 1.0f);
    copy(stream, image.region(region.offset, region.extent), written);
    copy(stream, read, image.region(region.offset, region.extent));
    stream.synchronize();
    EXPECT_EQ(read, written);
    map_sparse(stream, {SparseMapping::unmap(image, region)});
    stream.synchronize();
}

TEST_F(SparseGpuTest, MapsLevelsAndTails) {
    const MipmappedArray image =
        device->create_mipmapped_array({.format = ArrayFormat::of<float>(), .width = 1024, .height = 1024, .sparse = true});
    const SparseProperties properties = sparse_properties(image);
    ASSERT_GT(properties.tail_size, 0u);
    ASSERT_LT(properties.first_tail_level, image.level_count());
    const TilePool pool(*device, properties.tail_size + SparseProperties::tile_size);
    map_sparse(stream, {SparseMapping::map_tail(image, pool, 0),
                        SparseMapping::map(image, {.extent = properties.tile}, pool, pool.size() - SparseProperties::tile_size)});

    const ArrayRef last = image.level(image.level_count() - 1);
    std::vector<float> written{3.5f}, read{0};
    copy(stream, last, written);
    copy(stream, read, last);
    stream.synchronize();
    EXPECT_EQ(read, written);
    map_sparse(stream, {SparseMapping::unmap_tail(image), SparseMapping::unmap(image, {.extent = properties.tile})});
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
