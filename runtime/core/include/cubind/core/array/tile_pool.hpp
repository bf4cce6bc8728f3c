// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>

namespace CUBIND_NAMESPACE {

namespace detail {
class TilePoolState;
}

/// Physical memory of a device for tiles of sparse arrays (cuMemCreate with CU_MEM_CREATE_USAGE_TILE_POOL, cuMemRelease). It has
/// no address. A handle: copies are cheap and share the memory. The driver frees it once neither copies of the handle nor
/// mappings of tiles exist. Any thread may use it.
class CUBIND_EXPORT TilePool {
public:
    /// Creates an empty object.
    TilePool() noexcept = default;
    /// Allocates at least `size` bytes, rounded up to the granularity of the device (cuMemGetAllocationGranularity). Throws
    /// std::invalid_argument for 0 bytes and for a device without sparse arrays, and OutOfMemory if there is not enough memory.
    explicit TilePool(Device device, std::size_t size);

    /// Returns the size in bytes. Throws std::invalid_argument for an empty object, as the functions below do.
    [[nodiscard]] std::size_t size() const;
    /// Returns the device that has the memory.
    [[nodiscard]] Device device() const;
    /// Returns the native handle, for driver calls.
    [[nodiscard]] driver::CUmemGenericAllocationHandle native_handle() const;
    /// Returns whether the object is empty.
    [[nodiscard]] bool is_empty() const noexcept { return state_ == nullptr; }

    /// Returns whether both share one memory, or both are empty.
    [[nodiscard]] friend bool operator==(const TilePool& left, const TilePool& right) noexcept {
        return left.state_ == right.state_;
    }

private:
    const detail::TilePoolState& state() const;

    std::shared_ptr<const detail::TilePoolState> state_;
};

}  // namespace CUBIND_NAMESPACE
