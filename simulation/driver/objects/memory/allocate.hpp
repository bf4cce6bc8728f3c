// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/context/context.hpp"
#include "objects/memory/allocation.hpp"

namespace CUBIND_NAMESPACE::sim {

/// New memory, or the status of the failure.
struct NewMemory {
    driver::CUresult status;
    std::shared_ptr<Allocation> allocation;
};
/// Allocates memory and adds it to the memory map of the context. `pool` is null unless the memory comes from a pool.
NewMemory allocate(MemoryKind kind, Context& context, std::size_t bytes, unsigned flags,
                   const std::shared_ptr<Pool>& pool = nullptr);

/// Allocates memory of the context's device that is not found by address.
NewMemory allocate_hidden(Context& context, std::size_t bytes);

}  // namespace CUBIND_NAMESPACE::sim
