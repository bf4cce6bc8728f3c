// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/mapped_memory.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <bit>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

using Tiles = std::vector<TileTable::Tile>;

/// The tiles of one dimension: the first one, and the number behind the last one.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Finds the tiles of a region in one dimension. A region ends at the end of a tile, or at the end of the level.
bool find_range(std::size_t offset, std::size_t extent, std::size_t side, std::size_t size, Range& range) noexcept {
    if (extent == 0 || offset % side != 0 || offset >= size || extent > size - offset) return false;
    if (extent % side != 0 && offset + extent != size) return false;
    range = {offset / side, (offset + extent + side - 1) / side};
    return true;
}

// Adds the tiles of a region of a level, in the order of rows.
CUresult add_region(const CUarrayMapInfo& info, const TilePlan& plan, Tiles& tiles) {
    const auto& region = info.subresource.sparseLevel;
    if (region.level >= plan.first_tail_level) return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR level = level_of(plan.descriptor, region.level);
    const bool is_layered = has_layers(plan.descriptor);
    if (region.layer >= (is_layered ? level.Depth : 1)) return CUDA_ERROR_INVALID_VALUE;
    const auto& side = plan.properties.tileExtent;
    const std::size_t depth = is_layered ? 1 : std::max<std::size_t>(level.Depth, 1);
    Range x;
    Range y;
    Range z;
    if (!find_range(region.offsetX, region.extentWidth, side.width, level.Width, x) ||
        !find_range(region.offsetY, region.extentHeight, side.height, level.Height, y) ||
        !find_range(region.offsetZ, region.extentDepth, side.depth, depth, z)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const TileLayout& layout = plan.levels[region.level];
    for (std::size_t slice = region.layer + z.begin; slice < region.layer + z.end; ++slice) {
        for (std::size_t row = y.begin; row < y.end; ++row) {
            const std::size_t first = layout.first_tile + (slice * layout.down + row) * layout.across;
            for (std::size_t column = x.begin; column < x.end; ++column) tiles.push_back({first + column, nullptr});
        }
    }
    return CUDA_SUCCESS;
}

// Adds tiles of a tail.
CUresult add_tail(const CUarrayMapInfo& info, const TilePlan& plan, Tiles& tiles) {
    const auto& tail = info.subresource.miptail;
    Range range;
    if (tail.layer >= plan.tails || tail.size % tile_bytes != 0 ||
        !find_range(tail.offset, tail.size, tile_bytes, plan.tail_size, range)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const std::size_t first = plan.tail_tile + tail.layer * (plan.tail_size / tile_bytes);
    for (std::size_t i = range.begin; i < range.end; ++i) tiles.push_back({first + i, nullptr});
    return CUDA_SUCCESS;
}

CUresult add_tiles(const CUarrayMapInfo& info, const TilePlan& plan, Tiles& tiles) {
    if (has_deferred_mapping(plan.descriptor)) {
        for (std::size_t i = 0; i < plan.tail_size / tile_bytes; ++i) tiles.push_back({i, nullptr});
        return CUDA_SUCCESS;
    }
    switch (info.subresourceType) {
        case CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL:
            return add_region(info, plan, tiles);
        case CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL:
            return add_tail(info, plan, tiles);
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

}  // namespace

CUresult TileMapping::prepare(const CUarrayMapInfo& info, const std::shared_ptr<PhysicalMemory>& memory, const Device& device) {
    const bool is_reserved_used = std::ranges::any_of(info.reserved, [](unsigned each) { return each != 0; });
    const bool is_of_device = std::has_single_bit(info.deviceBitMask) && std::countr_zero(info.deviceBitMask) == device.ordinal;
    if (!is_of_device || info.flags != 0 || is_reserved_used) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (const CUresult status = add_tiles(info, target->plan, tiles)) return status;
    // Without a mapping, the driver ignores the memory.
    if (info.memOperationType == CU_MEM_OPERATION_TYPE_UNMAP) return CUDA_SUCCESS;
    if (info.memOperationType != CU_MEM_OPERATION_TYPE_MAP || info.memHandleType != CU_MEM_HANDLE_TYPE_GENERIC) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const bool is_suitable = memory != nullptr && memory->device == &device && memory->is_tile_pool();
    if (!is_suitable || info.offset % tile_bytes != 0 || info.offset > memory->size ||
        tiles.size() > (memory->size - info.offset) / tile_bytes) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const auto bytes = memory->bytes();
    if (bytes == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    std::size_t offset = info.offset;
    for (TileTable::Tile& tile : tiles) {
        tile.memory = {bytes, bytes.get() + offset};
        offset += tile_bytes;
    }
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
