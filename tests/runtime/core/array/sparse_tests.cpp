// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/sparse_mapping.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/layers/layer.hpp>

#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Records what the driver's function that maps memory to tiles receives, and gives mipmapped arrays a tail from level 1 on.
class SparseStandIn final : public layers::Layer {
public:
    SparseStandIn() { layers::push(*this); }
    SparseStandIn(const SparseStandIn&) = delete;
    SparseStandIn& operator=(const SparseStandIn&) = delete;
    ~SparseStandIn() { layers::remove(*this); }

    std::vector<driver::CUarrayMapInfo> mapped;  ///< of the latest call
    driver::CUstream stream = nullptr;

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        if (symbol == "cuMemMapArrayAsync") {
            const auto* const first = *static_cast<driver::CUarrayMapInfo* const*>(call.arguments[0]);
            mapped.assign(first, first + *static_cast<const unsigned int*>(call.arguments[1]));
            stream = *static_cast<const driver::CUstream*>(call.arguments[2]);
            call.status() = driver::CUDA_SUCCESS;
            return;
        }
        next(call);
        if (symbol != "cuMipmappedArrayGetSparseProperties" || call.status() != driver::CUDA_SUCCESS) return;
        auto& properties = **static_cast<driver::CUDA_ARRAY_SPARSE_PROPERTIES* const*>(call.arguments[0]);
        properties.miptailFirstLevel = 1;
        properties.miptailSize = 2 * SparseProperties::tile_size;
    }
};

class SparseTest : public CoreTest {
protected:
    /// Expects std::invalid_argument whose message contains the texts.
    template <class... Texts>
    static void expect_misuse(const std::function<void()>& function, const Texts&... texts) {
        EXPECT_THAT(message_of<std::invalid_argument>(function), AllOf(HasSubstr(texts)...));
    }

    static constexpr std::size_t tile = SparseProperties::tile_size;
    static ArrayOptions options() { return {.format = ArrayFormat::of<float>(), .width = 300, .height = 256, .sparse = true}; }

    Device device{1};
    Stream stream{device};
    Array image = device.create_array(options());
    MipmappedArray levels = device.create_mipmapped_array(
        {.format = ArrayFormat::of<float>(), .width = 256, .height = 256, .layers = 3, .sparse = true});
    TilePool pool{device, 8 * tile};
};

TEST_F(SparseTest, ReadsTheProperties) {
    const SparseProperties properties = sparse_properties(image);
    EXPECT_EQ(properties.tile, (Extent3D{128, 128, 1}));
    EXPECT_EQ(properties.bytes_of({300, 129, 1}), 6 * tile);
    const SparseStandIn driver;
    EXPECT_EQ(sparse_properties(levels).first_tail_level, 1u);
    EXPECT_EQ(sparse_properties(levels).tail_size, 2 * tile);
    const Array dense = device.create_array({.format = ArrayFormat::of<float>(), .width = 64, .height = 64});
    expect_misuse([&] { (void)sparse_properties(dense); }, "64 x 64", "ArrayOptions::sparse");
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(SparseTest, HasPoolsOfMemory) {
    EXPECT_GE(pool.size(), 8 * tile);
    EXPECT_EQ(pool.device(), device);
    const std::size_t used = device.memory_info().free;
    {
        TilePool other(device, 1);
        const TilePool copy = other;
        EXPECT_EQ(copy, other);
        EXPECT_NE(copy, pool);
        other = {};
        EXPECT_TRUE(other.is_empty());
        EXPECT_LT(device.memory_info().free, used);
    }
    EXPECT_EQ(device.memory_info().free, used);
    expect_misuse([&] { (void)TilePool(device, 0); }, "0 bytes");
    expect_misuse([] { (void)TilePool().size(); }, "TilePool");
    EXPECT_THROW((void)TilePool(device, std::size_t{1} << 50), OutOfMemory);
}

TEST_F(SparseTest, MapsAndUnmapsTilesInOneCall) {
    SparseStandIn driver;
    map_sparse(stream, {SparseMapping::map(image, {{128, 0}, {172, 128}}, pool, 2 * tile),
                        SparseMapping::unmap(image, {{0, 128}, {128, 128}})});
    EXPECT_EQ(driver.stream, stream.native_handle());
    ASSERT_EQ(driver.mapped.size(), 2u);
    const driver::CUarrayMapInfo& mapped = driver.mapped[0];
    EXPECT_EQ(mapped.resourceType, driver::CU_RESOURCE_TYPE_ARRAY);
    EXPECT_EQ(mapped.resource.array, image.native_handle());
    EXPECT_EQ(mapped.subresource.sparseLevel.offsetX, 128u);
    EXPECT_EQ(mapped.subresource.sparseLevel.extentWidth, 172u);
    EXPECT_EQ(mapped.subresource.sparseLevel.extentHeight, 128u);
    EXPECT_EQ(mapped.subresource.sparseLevel.extentDepth, 1u);
    EXPECT_EQ(mapped.memOperationType, driver::CU_MEM_OPERATION_TYPE_MAP);
    EXPECT_EQ(mapped.memHandle.memHandle, pool.native_handle());
    EXPECT_EQ(mapped.offset, 2 * tile);
    EXPECT_EQ(mapped.deviceBitMask, 2u) << "device 1";
    EXPECT_EQ(driver.mapped[1].memOperationType, driver::CU_MEM_OPERATION_TYPE_UNMAP);
    EXPECT_EQ(driver.mapped[1].subresource.sparseLevel.offsetY, 128u);
    driver.mapped.clear();
    map_sparse(stream, std::vector<SparseMapping>());
    EXPECT_TRUE(driver.mapped.empty());
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(SparseTest, MapsLevelsAndTails) {
    SparseStandIn driver;
    map_sparse(stream, {SparseMapping::map(levels, {.extent = {128, 128}, .layer = 2}, pool, 0),
                        SparseMapping::map_tail(levels, pool, 4 * tile, 1), SparseMapping::unmap_tail(levels, 1)});
    ASSERT_EQ(driver.mapped.size(), 3u);
    EXPECT_EQ(driver.mapped[0].resourceType, driver::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
    EXPECT_EQ(driver.mapped[0].resource.mipmap, levels.native_handle());
    EXPECT_EQ(driver.mapped[0].subresource.sparseLevel.layer, 2u);
    EXPECT_EQ(driver.mapped[1].subresourceType, driver::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL);
    EXPECT_EQ(driver.mapped[1].subresource.miptail.layer, 1u);
    EXPECT_EQ(driver.mapped[1].subresource.miptail.size, 2 * tile);
    EXPECT_EQ(driver.mapped[1].offset, 4 * tile);
    EXPECT_EQ(driver.mapped[2].memOperationType, driver::CU_MEM_OPERATION_TYPE_UNMAP);
}

TEST_F(SparseTest, RefusesWhatIsNoTile) {
    const SparseStandIn driver;
    const auto map = [&](const SparseRegion& region, std::size_t offset = 0) {
        return [this, region, offset] { (void)SparseMapping::map(image, region, pool, offset); };
    };
    expect_misuse(map({{64, 0}, {128, 128}}), "from element 64", "width", "tiles of 128");
    expect_misuse(map({{0, 0}, {100, 128}}), "100 elements", "width");
    expect_misuse(map({{0, 256}, {128, 128}}), "height", "has 256");
    expect_misuse(map({{0, 0}, {128, 0}}), "0 elements");
    expect_misuse(map({.extent = {128, 128, 2}}), "depth");
    expect_misuse(map({.extent = {128, 128}, .layer = 1}), "layer 1");
    expect_misuse(map({.extent = {128, 128}, .level = 1}), "only level 0");
    expect_misuse(map({.extent = {128, 128}}, 1024), "byte 1024", "65536");
    expect_misuse(map({.extent = {128, 128}}, pool.size()), std::to_string(pool.size()));
    expect_misuse([&] { (void)SparseMapping::map(levels, {.extent = {128, 128}, .layer = 3}, pool, 0); }, "layer 3", "has 3");
    expect_misuse(
        [&] {
            (void)SparseMapping::map(levels, {.extent = {128, 128}, .level = 1}, pool, 0);
        },
        "level 1", "map_tail()");
    expect_misuse([&] { (void)SparseMapping::unmap_tail(levels, 3); }, "layer 3");
}

TEST_F(SparseTest, RefusesNumbersThatOverflow) {
    const SparseStandIn driver;
    constexpr std::size_t max = ~std::size_t{0};
    const auto map = [&](const SparseRegion& region, std::size_t offset = 0) {
        return [this, region, offset] { (void)SparseMapping::map(image, region, pool, offset); };
    };
    expect_misuse(map({{max - 127, 0}, {128, 128}}), "width");
    expect_misuse(map({{128, 0}, {max, 128}}), "width");
    expect_misuse(map({{0, 128}, {128, max - 127}}), "height");
    expect_misuse(map({.offset = {0, 0, max}, .extent = {128, 128, 1}}), "depth");
    expect_misuse(map({.extent = {128, 128}}, max / tile * tile), "TilePool");
    expect_misuse(map({.extent = {128, 128}, .layer = ~0u}), "layer 4294967295");
    expect_misuse([&] { (void)SparseMapping::map(levels, {.extent = {128, 128}, .level = ~0u}, pool, 0); }, "level 4294967295");
    expect_misuse([&] { (void)SparseMapping::unmap_tail(levels, ~0u); }, "layer 4294967295");
    expect_misuse([&] { (void)TilePool(device, max); }, std::to_string(max));
    const SparseProperties properties = sparse_properties(image);
    EXPECT_EQ(properties.bytes_of({max, max, max}), max);
    EXPECT_EQ(properties.bytes_of({max, 1, 1}), max) << "2^57 tiles";
    EXPECT_EQ(properties.bytes_of({128, 0, 1}), 0u);
    EXPECT_EQ((SparseProperties{.tile = {0, 0, 0}}.bytes_of({2, 1, 1})), 2 * tile);
}

TEST_F(SparseTest, RetainsTheArrayAfterAMove) {
    SparseStandIn driver;
    std::optional<Array> own = device.create_array(options());
    const auto handle = own->native_handle();
    SparseMapping mapping = SparseMapping::unmap(*own, {.extent = {128, 128}});
    const SparseMapping moved = std::move(mapping);
    own.reset();
    map_sparse(stream, {mapping});  // NOLINT: a move leaves a copy
    EXPECT_EQ(driver.mapped.at(0).resource.array, handle);
    const layers::Unobserved unobserved;
    EXPECT_EQ(driver::cuArrayGetDescriptor(handle).status, driver::CUDA_SUCCESS) << "both retain the array";
    mapping = moved;
}

/// A device for which a bit mask of 32 bits has no bit.
class ManyDevicesSparseTest : public CoreTest {
protected:
    ManyDevicesSparseTest() : CoreTest({.devices = 33}) {}
};

TEST_F(ManyDevicesSparseTest, RefusesADeviceThatTheDriverCannotName) {
    SparseStandIn driver;
    const auto map = [&](Device device) {
        const Stream stream(device);
        const Array image =
            device.create_array({.format = ArrayFormat::of<float>(), .width = 128, .height = 128, .sparse = true});
        map_sparse(stream, {SparseMapping::unmap(image, {.extent = {128, 128}})});
    };
    map(Device(31));
    EXPECT_EQ(driver.mapped.at(0).deviceBitMask, 1u << 31);
    driver.mapped.clear();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { map(Device(32)); }), AllOf(HasSubstr("device 32"), HasSubstr("0 to 31")));
    EXPECT_TRUE(driver.mapped.empty());
}

TEST_F(SparseTest, RefusesATailThatDoesNotExist) {
    const MipmappedArray large =
        device.create_mipmapped_array({.format = ArrayFormat::of<float>(), .width = 256, .height = 256, .sparse = true}, 2);
    expect_misuse([&] { (void)SparseMapping::unmap_tail(large); }, "no tail");
}

TEST_F(SparseTest, StatesThatTheDriverRefusedTheCall) {
    const Stream other{Device{0}};
    EXPECT_THAT(message_of<Error>([&] {
                    map_sparse(other, {SparseMapping::map(image, {.extent = {128, 128}}, pool, 0)});
                }),
                AllOf(HasSubstr("cuMemMapArrayAsync"), HasSubstr("1 operations"), HasSubstr("device of the stream")));
}

TEST_F(SparseTest, StoresWhatIsCopiedToMappedTiles) {
    const SparseRegion region{{128, 0}, {172, 256}};
    map_sparse(stream, {SparseMapping::map(image, region, pool, 0)});
    std::vector<float> written(172 * 256), read(written.size());
    std::iota(written.begin(), written.end(), 1.0f);
    copy(stream, image.region(region.offset, region.extent), written);
    copy(stream, read, image.region(region.offset, region.extent));
    stream.synchronize();
    EXPECT_EQ(read, written);
    map_sparse(stream, {SparseMapping::unmap(image, region)});
    copy(stream, read, image.region(region.offset, region.extent));
    stream.synchronize();
    EXPECT_EQ(read, std::vector<float>(read.size())) << "tiles without memory are zero";
}

TEST_F(SparseTest, StoresWhatIsCopiedToTailsAndLevels) {
    const SparseProperties properties = sparse_properties(levels);
    ASSERT_EQ(properties.first_tail_level, 2u);
    map_sparse(stream, {SparseMapping::map_tail(levels, pool, 0, 1),
                        SparseMapping::map(levels, {.extent = {128, 128}, .layer = 1, .level = 1}, pool, tile)});
    for (const unsigned int level : {1u, 2u, 8u}) {
        const ArrayRef part = levels.level(level);
        const Extent3D side{part.extent().width, part.extent().height, 1};
        std::vector<float> written(side.width * side.height), read(written.size());
        std::iota(written.begin(), written.end(), static_cast<float>(level));
        copy(stream, part.region({0, 0, 1}, side), written);
        copy(stream, read, part.region({0, 0, 1}, side));
        stream.synchronize();
        EXPECT_EQ(read, written) << level;
    }
    map_sparse(stream, {SparseMapping::unmap_tail(levels, 1)});
    stream.synchronize();
}

TEST_F(SparseTest, ReportsAFailureOfEachCall) {
    const SparseStandIn driver;
    EXPECT_GE(
        sweep([&] {
            const TilePool own(device, tile);
            map_sparse(stream, {SparseMapping::map(image, {.extent = {128, 128}}, own, 0), SparseMapping::unmap_tail(levels)});
        }),
        5u);
}

}  // namespace
}  // namespace cubind::testing
