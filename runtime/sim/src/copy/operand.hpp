// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "memory/allocation.hpp"

namespace cubind::sim {

/// Whose memory an address is said to be. All memory that the driver knows may be called the device's, or the host's.
enum class Side { device, host, any };

/// Memory that has been found to be there for a copy, and stays until the copy is done.
struct Operand {
    std::byte* data = nullptr;
    std::shared_ptr<Allocation> allocation;  ///< null for host memory that the driver knows nothing of

    bool is_pageable() const noexcept { return allocation == nullptr; }
};

/// Who reads or writes.
struct Use {
    const Device* device;  ///< null: whichever device can reach it
    bool writes;
};

/// Whether there is memory of a pool that does not let the device have it.
bool is_out_of_reach(std::uintptr_t address, const Device& device);

/// Finds `bytes` of memory at an address. CUDA_ERROR_INVALID_VALUE where they are not all within one allocation, or within
/// mappings side by side that allow the use, or were freed, or come from a pool that does not allow the use; host memory that the driver
/// did not hand out is taken on trust, unless it is null.
CUresult find_operand(Side side, std::uintptr_t address, std::size_t bytes, const Use& use, Operand& operand);

}  // namespace cubind::sim
