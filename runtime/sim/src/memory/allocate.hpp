// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "context/context.hpp"
#include "memory/allocation.hpp"

namespace CUBIND_NAMESPACE::sim {

/// New memory, or the status of the failure.
struct NewMemory {
    CUresult status;
    std::shared_ptr<Allocation> allocation;
};
/// Allocates memory and adds it to the machine. `pool` is null unless the memory comes from a pool.
NewMemory allocate(MemoryKind kind, Context& context, std::size_t bytes, unsigned flags,
                   const std::shared_ptr<Pool>& pool = nullptr);

/// Allocates memory of the context's device that is not found by address.
NewMemory allocate_hidden(Context& context, std::size_t bytes);

/// Frees the memory that begins at the address, if `is_freeable` accepts it, after all work of its device has completed.
/// Returns `missing_status` if there is no such memory. Requires no current context.
CUresult free_memory(std::uintptr_t address, bool (*is_freeable)(const Allocation&),
                     CUresult missing_status = CUDA_ERROR_INVALID_VALUE);

/// Waits for all work of a device, as the driver does before it frees memory.
void wait_for_device(const Device& device);

}  // namespace CUBIND_NAMESPACE::sim
