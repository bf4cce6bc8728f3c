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

/// Whether memory at the address may be freed now, which needs no context.
CUresult check_free(std::uintptr_t address);

/// Waits for all work of a device: what freeing its memory implies.
void wait_for_device(const Device& device);

}  // namespace cubind::sim
