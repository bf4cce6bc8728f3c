// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/array/sparse_properties.hpp>
#include <cubind/core/array/tile_pool.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

namespace CUBIND_NAMESPACE {

/// Tiles of a sparse array. Offset and extent count elements; they are multiples of SparseProperties::tile, except that a region
/// may end with the array.
struct SparseRegion {
    Offset3D offset = {};    ///< the first element
    Extent3D extent = {};    ///< the elements in each dimension
    unsigned int layer = 0;  ///< the layer of a layered array, or the face of a cubemap; the region has a depth of 1 there
    unsigned int level = 0;  ///< the level of a mipmapped array, below SparseProperties::first_tail_level
};

/// One operation of map_sparse(): the tiles of an array get memory of a pool, or lose it. A value, which retains the array if
/// cubind owns it, and the pool.
///
///     map_sparse(stream, {SparseMapping::map(image, {{0, 0}, {256, 128}}, pool, 0)});
class CUBIND_EXPORT SparseMapping {
public:
    /// Copies the operation. A move copies it, too, so that no operation refers to an array that it does not retain.
    SparseMapping(const SparseMapping& other) = default;
    /// Copies the operation, also instead of a move.
    SparseMapping& operator=(const SparseMapping& other) = default;

    /// Maps the memory of the pool from `pool_offset` bytes on to the tiles of a region, in the order of rows. Throws
    /// std::invalid_argument for an array that is not sparse, for a region that does not consist of tiles or is not within the
    /// array, and for an offset that is no multiple of SparseProperties::tile_size or leaves too few bytes.
    [[nodiscard]] static SparseMapping map(ArrayRef array, const SparseRegion& region, const TilePool& pool,
                                           std::size_t pool_offset);
    /// Maps memory to tiles of a level of a mipmapped array, like the other function.
    [[nodiscard]] static SparseMapping map(MipmappedArrayRef array, const SparseRegion& region, const TilePool& pool,
                                           std::size_t pool_offset);
    /// Removes the memory of the tiles of a region. Throws like map().
    [[nodiscard]] static SparseMapping unmap(ArrayRef array, const SparseRegion& region);
    /// Removes the memory of tiles of a level of a mipmapped array.
    [[nodiscard]] static SparseMapping unmap(MipmappedArrayRef array, const SparseRegion& region);
    /// Maps memory to the tail of a layer: to all levels from SparseProperties::first_tail_level on. Throws std::invalid_argument
    /// for an array without a tail, for a layer that does not exist or, with a single tail, is not 0, and for an offset as map()
    /// does.
    [[nodiscard]] static SparseMapping map_tail(MipmappedArrayRef array, const TilePool& pool, std::size_t pool_offset,
                                                unsigned int layer = 0);
    /// Removes the memory of the tail of a layer.
    [[nodiscard]] static SparseMapping unmap_tail(MipmappedArrayRef array, unsigned int layer = 0);

    /// Returns the native operation, without the device, which map_sparse() sets.
    [[nodiscard]] const driver::CUarrayMapInfo& native() const noexcept { return native_; }

private:
    explicit SparseMapping(std::shared_ptr<const void> array) noexcept : array_(std::move(array)) {}
    void set_memory(const TilePool& pool, std::size_t offset, std::size_t size);

    driver::CUarrayMapInfo native_{};
    std::shared_ptr<const void> array_;
    TilePool pool_;
};

/// Performs operations on tiles in one call, after the preceding work of the stream and before work that is submitted from now on
/// (cuMemMapArrayAsync). The pools and the arrays must exist until the stream has performed them. An empty list does nothing.
/// Throws Error if the driver refuses the call, and std::invalid_argument for a device with a number of 32 or more, which the
/// driver cannot name in this call.
CUBIND_EXPORT void map_sparse(StreamRef stream, std::span<const SparseMapping> operations);
/// Performs operations on tiles: map_sparse(stream, {SparseMapping::unmap(image, region)}).
inline void map_sparse(StreamRef stream, std::initializer_list<SparseMapping> operations) {
    map_sparse(stream, std::span<const SparseMapping>(operations.begin(), operations.size()));
}

}  // namespace CUBIND_NAMESPACE
