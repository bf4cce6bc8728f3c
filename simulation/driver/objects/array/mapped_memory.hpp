// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "objects/array/tile_plan.hpp"
#include "objects/virtual/physical_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory that a program maps to an array, or to all levels of a mipmapped array. Thread-safe.
class MappedMemory {
public:
    explicit MappedMemory(TilePlan own_plan) : plan(std::move(own_plan)), table_(std::make_shared<const TileTable>()) {}

    const TilePlan plan;

    std::shared_ptr<const TileTable> table() const {
        const std::lock_guard lock(mutex_);
        return table_;
    }
    /// Replaces the memory of tiles, whose numbers must ascend. Work that is running keeps the previous memory.
    void change(const std::vector<TileTable::Tile>& tiles) {
        const std::lock_guard lock(mutex_);
        table_ = table_->with(tiles);
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const TileTable> table_;
};

/// One operation of cuMemMapArrayAsync(): tiles and their next memory. The numbers of the tiles ascend.
struct TileMapping {
    std::shared_ptr<MappedMemory> target;
    std::vector<TileTable::Tile> tiles;

    /// Finds the tiles that `info` names, and their memory. `memory` is what its handle refers to, or null. Returns
    /// CUDA_ERROR_INVALID_VALUE for tiles that do not exist, and for memory of another device or for another use.
    driver::CUresult prepare(const driver::CUarrayMapInfo& info, const std::shared_ptr<PhysicalMemory>& memory,
                             const Device& device);
};

}  // namespace CUBIND_NAMESPACE::sim
