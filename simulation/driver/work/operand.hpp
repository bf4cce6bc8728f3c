// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "objects/memory/memory_map.hpp"
#include "support/observe.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The kind of memory that a caller declares for an address. Memory of the driver may be declared as device or as host
/// memory.
enum class Side { device, host, any };

class Array;

/// Memory that was found for a copy. It is retained until the copy is done.
struct Operand {
    std::byte* data = nullptr;
    std::shared_ptr<Allocation> allocation = nullptr;  ///< null for host memory that is not the driver's
    std::shared_ptr<const Array> tiled = nullptr;      ///< array to which the program maps memory; otherwise null
    std::size_t position = 0;                          ///< position in the array `tiled`, in bytes

    bool is_pageable() const noexcept { return allocation == nullptr && tiled == nullptr; }
};

/// Returns the kind of the memory, for observers.
ActivityMemory activity_memory(const Operand& operand) noexcept;

/// An access to memory.
struct Access {
    const Device* device;  ///< device that performs the access; null for any device that has access
    bool writes;
};

/// Checks whether the address lies in memory of a pool that the device must not access.
bool is_out_of_reach(const MemoryMap& memory, std::uintptr_t address, const Device& device);

/// Finds `bytes` bytes of memory at an address. Returns CUDA_ERROR_INVALID_VALUE if they do not lie within one
/// allocation or within adjacent mappings, were freed, or must not be accessed in this way. Host memory that the driver
/// did not allocate cannot be checked and is accepted unless it is null.
driver::CUresult find_operand(const MemoryMap& memory, Side side, std::uintptr_t address, std::size_t bytes, const Access& access,
                              Operand& operand);

}  // namespace CUBIND_NAMESPACE::sim
