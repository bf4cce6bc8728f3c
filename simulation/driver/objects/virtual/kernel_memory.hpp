// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/context/context.hpp"
#include "objects/memory/memory_map.hpp"
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory that a kernel may access: all allocations of the driver, except mappings that the device may not access.
class KernelMemory : public ptx::GlobalMemory {
public:
    KernelMemory(MemoryMap& memory, Context& context) : memory_(memory), context_(context) {}

    bool find(std::uint64_t address, ptx::MemoryRange& range) const override;
    std::string describe(std::uint64_t address) const override;
    std::uint64_t allocate(std::size_t bytes) override;
    bool free(std::uint64_t address) override;

private:
    MemoryMap& memory_;
    Context& context_;
};

}  // namespace CUBIND_NAMESPACE::sim
