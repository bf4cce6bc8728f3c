// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/sparse_mapping.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <limits>
#include <vector>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "calls/driver.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Checks one dimension of a region. `size` is the extent of the level.
void check_dimension(const char* name, std::size_t offset, std::size_t extent, std::size_t tile, std::size_t size) {
    if (extent == 0 || offset > size || extent > size - offset) {
        detail::throw_misuse("a SparseRegion has ", extent, " elements from element ", offset, " on in its ", name,
                             ", and the level has ", size);
    }
    if (offset % tile != 0 || (extent % tile != 0 && offset + extent != size)) {
        detail::throw_misuse("a SparseRegion has ", extent, " elements from element ", offset, " on in its ", name,
                             ", which are no whole tiles of ", tile, " elements");
    }
}

bool has_layers(const ArrayOptions& options) noexcept {
    return options.layers != 0 || options.cubemap;
}

void check_layer(unsigned int layer, std::size_t count) {
    if (layer >= count) detail::throw_misuse("layer ", layer, " of a sparse array was requested, and it has ", count);
}

// Returns the native operation for a region of one level, which is an array of its own.
driver::CUarrayMapInfo describe_level(ArrayRef level, const SparseRegion& region, const SparseProperties& properties) {
    const Extent3D size = level.extent();
    const bool is_layered = has_layers(level.options());
    check_layer(region.layer, is_layered ? size.depth : 1);
    check_dimension("width", region.offset.x, region.extent.width, properties.tile.width, size.width);
    check_dimension("height", region.offset.y, region.extent.height, properties.tile.height, size.height);
    check_dimension("depth", region.offset.z, region.extent.depth, properties.tile.depth, is_layered ? 1 : size.depth);
    driver::CUarrayMapInfo info{};
    info.subresourceType = driver::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    // The driver limits the extents of arrays, so they fit.
    const auto number = [](std::size_t value) { return static_cast<unsigned int>(value); };
    info.subresource.sparseLevel = {region.level,
                                    region.layer,
                                    number(region.offset.x),
                                    number(region.offset.y),
                                    number(region.offset.z),
                                    number(region.extent.width),
                                    number(region.extent.height),
                                    number(region.extent.depth)};
    info.memOperationType = driver::CU_MEM_OPERATION_TYPE_UNMAP;
    return info;
}

driver::CUarrayMapInfo describe_region(ArrayRef array, const SparseRegion& region, const SparseProperties& properties) {
    if (region.level != 0) detail::throw_misuse("level ", region.level, " of an array was requested, which has only level 0");
    driver::CUarrayMapInfo info = describe_level(array, region, properties);
    info.resourceType = driver::CU_RESOURCE_TYPE_ARRAY;
    info.resource.array = array.native_handle();
    return info;
}

driver::CUarrayMapInfo describe_region(MipmappedArrayRef array, const SparseRegion& region, const SparseProperties& properties) {
    if (properties.tail_size != 0 && region.level >= properties.first_tail_level) {
        detail::throw_misuse("level ", region.level, " of a sparse mipmapped array has no tiles: levels from ",
                             properties.first_tail_level, " on are the tail, which map_tail() maps");
    }
    driver::CUarrayMapInfo info = describe_level(array.level(region.level), region, properties);
    info.resourceType = driver::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    info.resource.mipmap = array.native_handle();
    return info;
}

driver::CUarrayMapInfo describe_tail(MipmappedArrayRef array, unsigned int layer, const SparseProperties& properties) {
    if (properties.tail_size == 0) detail::throw_misuse("a sparse mipmapped array has no tail: all of its levels have tiles");
    const ArrayRef level = array.level(0);
    check_layer(layer, has_layers(level.options()) && !properties.has_single_tail ? level.extent().depth : 1);
    driver::CUarrayMapInfo info{};
    info.resourceType = driver::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    info.resource.mipmap = array.native_handle();
    info.subresourceType = driver::CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
    info.subresource.miptail = {layer, 0, properties.tail_size};
    info.memOperationType = driver::CU_MEM_OPERATION_TYPE_UNMAP;
    return info;
}

}  // namespace

SparseMapping SparseMapping::map(ArrayRef array, const SparseRegion& region, const TilePool& pool, std::size_t pool_offset) {
    const SparseProperties properties = sparse_properties(array);
    SparseMapping mapping(detail::share(array));
    mapping.native_ = describe_region(array, region, properties);
    mapping.set_memory(pool, pool_offset, properties.bytes_of(region.extent));
    return mapping;
}

SparseMapping SparseMapping::map(MipmappedArrayRef array, const SparseRegion& region, const TilePool& pool,
                                 std::size_t pool_offset) {
    const SparseProperties properties = sparse_properties(array);
    SparseMapping mapping(detail::share(array));
    mapping.native_ = describe_region(array, region, properties);
    mapping.set_memory(pool, pool_offset, properties.bytes_of(region.extent));
    return mapping;
}

SparseMapping SparseMapping::unmap(ArrayRef array, const SparseRegion& region) {
    SparseMapping mapping(detail::share(array));
    mapping.native_ = describe_region(array, region, sparse_properties(array));
    return mapping;
}

SparseMapping SparseMapping::unmap(MipmappedArrayRef array, const SparseRegion& region) {
    SparseMapping mapping(detail::share(array));
    mapping.native_ = describe_region(array, region, sparse_properties(array));
    return mapping;
}

SparseMapping SparseMapping::map_tail(MipmappedArrayRef array, const TilePool& pool, std::size_t pool_offset,
                                      unsigned int layer) {
    SparseMapping mapping = unmap_tail(array, layer);
    mapping.set_memory(pool, pool_offset, static_cast<std::size_t>(mapping.native_.subresource.miptail.size));
    return mapping;
}

SparseMapping SparseMapping::unmap_tail(MipmappedArrayRef array, unsigned int layer) {
    SparseMapping mapping(detail::share(array));
    mapping.native_ = describe_tail(array, layer, sparse_properties(array));
    return mapping;
}

void SparseMapping::set_memory(const TilePool& pool, std::size_t offset, std::size_t size) {
    if (offset % SparseProperties::tile_size != 0 || offset > pool.size() || size > pool.size() - offset) {
        detail::throw_misuse("tiles of ", size, " bytes cannot be mapped to a TilePool of ", pool.size(), " bytes from byte ",
                             offset, " on: the position must be a multiple of ", SparseProperties::tile_size,
                             " bytes, and the pool must have all bytes");
    }
    native_.memOperationType = driver::CU_MEM_OPERATION_TYPE_MAP;
    native_.memHandleType = driver::CU_MEM_HANDLE_TYPE_GENERIC;
    native_.memHandle.memHandle = pool.native_handle();
    native_.offset = offset;
    pool_ = pool;
}

void map_sparse(StreamRef stream, std::span<const SparseMapping> operations) {
    if (operations.empty()) return;
    const detail::StreamScope scope(stream);
    const driver::CUdevice device = check(driver::cuCtxGetDevice());
    constexpr int max_devices = std::numeric_limits<decltype(driver::CUarrayMapInfo::deviceBitMask)>::digits;
    if (device >= max_devices) {
        detail::throw_misuse("map_sparse() cannot name device ", device, ": the driver takes a bit mask of devices 0 to ",
                             max_devices - 1);
    }
    std::vector<driver::CUarrayMapInfo> native;
    native.reserve(operations.size());
    for (const SparseMapping& each : operations) {
        native.push_back(each.native());
        native.back().deviceBitMask = 1u << static_cast<unsigned int>(device);
    }
    const auto mapped =
        driver::cuMemMapArrayAsync(native.data(), static_cast<unsigned int>(native.size()), detail::StreamAccess::handle(stream));
    if (mapped.ok()) return;
    const std::string advice = detail::advice_on_context(mapped.status, stream);
    detail::throw_with_advice(mapped, advice.empty()
                                          ? detail::concat("The call was for ", native.size(),
                                                           " operations. The arrays and the pools must belong to the device of "
                                                           "the stream.")
                                          : advice);
}

}  // namespace CUBIND_NAMESPACE
