// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/kernel_memory.hpp"

#include <algorithm>
#include <cstdio>

#include "objects/memory/allocate.hpp"
#include "objects/pool/pool.hpp"
#include "objects/virtual/mapping.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Checks for memory of another device, if the options allow its use without access.
bool is_allowed_anyway(const Device& device, const Allocation& memory) {
    return device.allows_peer_memory && memory.device != nullptr && memory.device != &device;
}

}  // namespace

std::string find_access_problem(Context& context, const OpenedMemory& opened, const Allocation& memory) {
    const Device& device = context.device;
    if (is_allowed_anyway(device, memory)) return {};
    const char* remedy = nullptr;
    if (memory.mapping != nullptr) {
        if (!memory.mapping->allows(device, false)) remedy = "cuMemSetAccess";
    } else if (memory.kind != MemoryKind::device || memory.device == &device) {
        return {};
    } else if (memory.pool != nullptr) {
        if (!memory.pool->allows(device)) remedy = "cuMemPoolSetAccess";
    } else if (memory.context_id == 0) {
        if (std::ranges::find(memory.users, device.ordinal) == memory.users.end())
            remedy = "CUDA_MEM_ALLOC_NODE_PARAMS::accessDescs";
    } else if (!opened.is_open(context.handle, memory.base)) {
        const std::lock_guard lock(context.settings_mutex);
        if (!context.peers.contains(memory.context_id)) remedy = "cuCtxEnablePeerAccess";
    }
    if (remedy == nullptr) return {};
    const std::string owner =
        memory.device != nullptr && memory.device != &device ? " of device " + std::to_string(memory.device->ordinal) : "";
    return " is in memory" + owner + " that " + remedy + " does not make accessible for device " + std::to_string(device.ordinal);
}

bool KernelMemory::find(std::uint64_t address, ptx::MemoryRange& range) const {
    auto found = memory_.find(address);
    if (found == nullptr || !find_access_problem(context_, opened_, *found).empty()) return false;
    range.begin = found->base;
    range.size = found->size;
    range.is_constant = found->is_constant;
    const bool is_mapped_for_reads = found->mapping != nullptr && !found->mapping->allows(context_.device, true) &&
                                     !is_allowed_anyway(context_.device, *found);
    range.is_read_only = found->is_read_only || is_mapped_for_reads;
    range.owner = std::move(found);
    return true;
}

std::string KernelMemory::describe(std::uint64_t address) const {
    const auto nearest = memory_.find_nearest(address);
    if (nearest == nullptr) return " is not within an allocation; there are no allocations";
    if (nearest->contains(address, 1)) {
        if (std::string problem = find_access_problem(context_, opened_, *nearest); !problem.empty()) return problem;
    }
    const std::uint64_t end = nearest->base + nearest->size;
    char text[200];
    if (nearest->contains(address, 1)) {
        std::snprintf(
            text, sizeof text, " begins %llu bytes before the end of the allocation of %zu bytes at 0x%llx, and exceeds it",
            static_cast<unsigned long long>(end - address), nearest->size, static_cast<unsigned long long>(nearest->base));
        return text;
    }
    const bool is_behind = address >= nearest->base;
    const std::uint64_t distance = is_behind ? address - end : nearest->base - address;
    std::snprintf(text, sizeof text,
                  " is not within an allocation; the nearest allocation has %zu bytes at 0x%llx, %s %llu bytes %s the address",
                  nearest->size, static_cast<unsigned long long>(nearest->base), is_behind ? "and ends" : "and begins",
                  static_cast<unsigned long long>(distance), is_behind ? "before" : "after");
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
