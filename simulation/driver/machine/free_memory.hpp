// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "objects/memory/allocation.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Frees the memory that begins at the address, if `is_freeable` accepts it, after all work of its device has completed.
/// Returns `missing_status` if there is no such memory. Requires no current context.
driver::CUresult free_memory(std::uintptr_t address, bool (*is_freeable)(const Allocation&),
                             driver::CUresult missing_status = driver::CUDA_ERROR_INVALID_VALUE);

/// Waits for all work of a device, as the driver does before it frees memory. Needs no memory.
void wait_for_device(const Device& device);

}  // namespace CUBIND_NAMESPACE::sim
