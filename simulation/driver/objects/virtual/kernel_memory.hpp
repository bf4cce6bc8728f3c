// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/context/context.hpp"
#include "objects/memory/memory_map.hpp"
#include "objects/memory/opened_memory.hpp"
#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns why kernels of the context cannot access memory, as the end of a sentence whose subject is the access, or an empty
/// text. Memory of another device needs peer access, access to its pool or its graph, or a handle that the context has opened.
std::string find_access_problem(Context& context, const OpenedMemory& opened, const Allocation& memory);

/// The memory that a kernel may access: all allocations of the driver, except those that its device cannot access.
class KernelMemory : public ptx::GlobalMemory {
public:
    KernelMemory(MemoryMap& memory, const OpenedMemory& opened, Context& context)
        : memory_(memory), opened_(opened), context_(context) {}

    bool find(std::uint64_t address, ptx::MemoryRange& range) const override;
    std::string describe(std::uint64_t address) const override;
    std::uint64_t allocate(std::size_t bytes) override;
    bool free(std::uint64_t address) override;

private:
    MemoryMap& memory_;
    const OpenedMemory& opened_;
    Context& context_;
};

}  // namespace CUBIND_NAMESPACE::sim
