// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/kernel_memory.hpp"

#include <cstdio>

#include "objects/memory/allocate.hpp"

namespace CUBIND_NAMESPACE::sim {

bool KernelMemory::find(std::uint64_t address, ptx::MemoryRange& range) const {
    auto found = memory_.find(address);
    if (found == nullptr) return false;
    range.begin = found->base;
    range.size = found->size;
    range.is_constant = found->is_constant;
    range.owner = std::move(found);
    return true;
}

std::string KernelMemory::describe(std::uint64_t address) const {
    const auto nearest = memory_.find_nearest(address);
    if (nearest == nullptr) return "; there are no allocations";
    const std::uint64_t end = nearest->base + nearest->size;
    const bool is_behind = address >= nearest->base;
    const std::uint64_t distance = is_behind ? address - end : nearest->base - address;
    char text[160];
    std::snprintf(text, sizeof text, "; the nearest allocation has %zu bytes at 0x%llx, %s %llu bytes %s the address",
                  nearest->size, static_cast<unsigned long long>(nearest->base), is_behind ? "and ends" : "and begins",
                  static_cast<unsigned long long>(distance), is_behind ? "before" : "behind");
    return text;
}

std::uint64_t KernelMemory::allocate(std::size_t bytes) {
    const NewMemory memory = sim::allocate(MemoryKind::device, context_, bytes, 0);
    if (memory.status != CUDA_SUCCESS) return 0;
    memory.allocation->is_kernel_heap = true;
    return memory.allocation->base;
}

bool KernelMemory::free(std::uint64_t address) {
    return memory_.remove(address, [](const Allocation& each) { return each.is_kernel_heap; }) != nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
