// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/sparse_properties.hpp>
#include <cubind/core/array/tile_pool.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include "errors/misuse.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/physical_handle.hpp"
#include "memory/virtual_allocation.hpp"

namespace CUBIND_NAMESPACE {

namespace detail {

/// The memory of a pool.
class TilePoolState {
public:
    TilePoolState(Device own_device, std::size_t own_size, const driver::CUmemAllocationProp& properties)
        : device(own_device),
          size(own_size),
          memory(create_physical_memory(properties, own_size, own_device, "the memory was for a TilePool")) {}

    const Device device;
    const std::size_t size;
    const PhysicalHandle memory;
};

namespace {

std::shared_ptr<const TilePoolState> make_pool(Device device, std::size_t size) {
    if (size == 0) throw_misuse("a TilePool cannot have 0 bytes: a tile has ", SparseProperties::tile_size);
    if (!device.properties().sparse_cuda_array_supported()) {
        throw_misuse("a TilePool was requested, and device ", device.ordinal(),
                     " has no sparse arrays (sparse_cuda_array_supported)");
    }
    driver::CUmemAllocationProp properties{};
    properties.type = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {.type = driver::CU_MEM_LOCATION_TYPE_DEVICE, .id = device.ordinal()};
    properties.allocFlags.usage = driver::CU_MEM_CREATE_USAGE_TILE_POOL;
    const RelaxedCaptureMode mode;
    const std::size_t granularity =
        check(driver::cuMemGetAllocationGranularity(&properties, driver::CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    return std::make_shared<const TilePoolState>(device, round_up_to_granularity(size, granularity), properties);
}

}  // namespace
}  // namespace detail

TilePool::TilePool(Device device, std::size_t size) : state_(detail::make_pool(device, size)) {}

std::size_t TilePool::size() const {
    return state().size;
}

Device TilePool::device() const {
    return state().device;
}

driver::CUmemGenericAllocationHandle TilePool::native_handle() const {
    return state().memory.native();
}

const detail::TilePoolState& TilePool::state() const {
    if (state_ == nullptr) detail::throw_moved_from("TilePool");
    return *state_;
}

}  // namespace CUBIND_NAMESPACE
