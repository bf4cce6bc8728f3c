// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/handlers/memory/access.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// Finds the memory for an access of `bytes` by each active thread. `pointer_slot` is the slot of the address's register. Throws
/// a Fault if an address is not aligned to `bytes`, or the bytes are not within one allocation.
void locate(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
            Location& location);

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
