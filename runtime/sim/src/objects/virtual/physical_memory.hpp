// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/device/device.hpp"
#include "objects/virtual/physical_store.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Physical memory, which a program can map at several addresses. Handles and mappings retain it.
class PhysicalMemory {
public:
    /// Creates the object. `own_device` is null for host memory. The caller has allocated the bytes in the store and charged
    /// them to the device. The destructor frees both.
    PhysicalMemory(CUmemGenericAllocationHandle own_handle, const CUmemAllocationProp& own_properties, std::size_t own_size,
                   Device* own_device, std::size_t own_offset)
        : handle(own_handle), properties(own_properties), size(own_size), device(own_device), offset(own_offset) {}
    ~PhysicalMemory() {
        PhysicalStore::instance().free(offset, size);
        if (device != nullptr) device->discharge(size);
    }
    PhysicalMemory(const PhysicalMemory&) = delete;  // owns its range in the store
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;

    const CUmemGenericAllocationHandle handle;
    const CUmemAllocationProp properties;
    const std::size_t size;
    Device* const device;
    const std::size_t offset;  ///< position in the store, in bytes
};

}  // namespace CUBIND_NAMESPACE::sim
