// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "context/context.hpp"
#include "memory/allocation.hpp"

namespace cubind::sim {

/// New memory, known to the machine. `pool` is null but for memory that pools hand out.
struct NewMemory {
    CUresult status;
    std::shared_ptr<Allocation> allocation;
};
NewMemory allocate(MemoryKind kind, Context& context, std::size_t bytes, unsigned flags,
                   const std::shared_ptr<Pool>& pool = nullptr);

/// New memory of the context's device that no address leads to.
NewMemory allocate_hidden(Context& context, std::size_t bytes);

/// Ends the memory that begins at the address, if it is of the right sort, once all that was under way is done; `otherwise` if there is
/// none. That needs no context.
CUresult free_memory(std::uintptr_t address, bool (*is_right)(const Allocation&), CUresult otherwise = CUDA_ERROR_INVALID_VALUE);

/// Waits for all work of a device: what freeing its memory implies.
void wait_for_device(const Device& device);

}  // namespace cubind::sim
