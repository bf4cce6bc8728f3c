// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/device.hpp"
#include "virtual/physical_store.hpp"

namespace cubind::sim {

/// Memory that a program maps where it likes. It lives as long as a handle, or a mapping, needs it.
class PhysicalMemory {
public:
    /// `on` is null for memory of the host. The room and the bytes of the device have been taken.
    PhysicalMemory(CUmemGenericAllocationHandle own_handle, const CUmemAllocationProp& what, std::size_t bytes, Device* on,
                   std::size_t where)
        : handle(own_handle), properties(what), size(bytes), device(on), offset(where) {}
    ~PhysicalMemory() {
        PhysicalStore::instance().give_back(offset, size);
        if (device != nullptr) device->discharge(size);
    }
    PhysicalMemory(const PhysicalMemory&) = delete;  // it owns its room
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;

    const CUmemGenericAllocationHandle handle;
    const CUmemAllocationProp properties;
    const std::size_t size;
    Device* const device;
    const std::size_t offset;  ///< in the store
};

}  // namespace cubind::sim
