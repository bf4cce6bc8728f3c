// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>

#include <memory>
#include <mutex>
#include <utility>

#include "objects/device/device.hpp"
#include "objects/virtual/physical_store.hpp"
#include "objects/virtual/shared_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Checks whether the location is the memory of the host, which has one NUMA node.
inline bool is_host_location(const driver::CUmemLocation& location) noexcept {
    return location.type == driver::CU_MEM_LOCATION_TYPE_HOST ||
           (location.type == driver::CU_MEM_LOCATION_TYPE_HOST_NUMA && location.id == 0);
}

/// Physical memory, which a program can map at several addresses. Handles and mappings retain it.
class PhysicalMemory : public std::enable_shared_from_this<PhysicalMemory> {
public:
    /// Creates the object. `own_device` is null for host memory. The caller has allocated the bytes in the store and charged
    /// them to the device. The destructor frees both.
    PhysicalMemory(driver::CUmemGenericAllocationHandle own_handle, const driver::CUmemAllocationProp& own_properties,
                   std::size_t own_size, Device* own_device, std::size_t own_offset)
        : handle(own_handle),
          properties(own_properties),
          size(own_size),
          device(own_device),
          offset(own_offset),
          charged(own_device != nullptr ? own_size : 0) {}
    /// Creates memory that lies in a file. `bytes_to_discharge` were charged to the device: none by a process that imports the
    /// memory.
    PhysicalMemory(driver::CUmemGenericAllocationHandle own_handle, std::unique_ptr<SharedFile> own_file, Device* own_device,
                   std::size_t bytes_to_discharge)
        : handle(own_handle),
          properties(own_file->properties()),
          size(own_file->size()),
          device(own_device),
          offset(0),
          file(std::move(own_file)),
          charged(bytes_to_discharge) {}
    ~PhysicalMemory() {
        if (file == nullptr) PhysicalStore::instance().free(offset, size);
        if (charged != 0) device->discharge(charged);
    }
    PhysicalMemory(const PhysicalMemory&) = delete;  // owns its range in the store
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;

    const driver::CUmemGenericAllocationHandle handle;
    const driver::CUmemAllocationProp properties;
    const std::size_t size;
    Device* const device;
    const std::size_t offset;                ///< position in the store, in bytes
    const std::unique_ptr<SharedFile> file;  ///< the memory if it is not in the store, otherwise null

    /// Maps the memory at an address. Returns false on failure.
    bool map(std::uintptr_t address) const {
        return file != nullptr ? file->map(address) : PhysicalStore::instance().map(address, size, offset);
    }
    /// Checks whether the memory is for tiles of arrays, and has no address of its own.
    bool is_tile_pool() const noexcept { return (properties.allocFlags.usage & driver::CU_MEM_CREATE_USAGE_TILE_POOL) != 0; }
    /// Returns the memory at an address that no program knows, the same for all callers. The result retains the memory. Returns
    /// null if the process has no addresses left.
    std::shared_ptr<std::byte> bytes();

private:
    const std::size_t charged;  ///< bytes charged to the device
    std::mutex mutex_;
    std::weak_ptr<std::byte> bytes_;  ///< result of bytes() while it is in use
};

}  // namespace CUBIND_NAMESPACE::sim
