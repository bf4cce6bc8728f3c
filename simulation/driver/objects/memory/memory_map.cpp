// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/memory_map.hpp"

#include <vector>

#include "objects/memory/address_space.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

std::optional<MemoryMap::Map::const_iterator> MemoryMap::find_gap(std::uintptr_t base, std::size_t size) const {
    const auto next = allocations_.lower_bound(base);
    if (next != allocations_.end() && next->first - base < size) return std::nullopt;
    if (next != allocations_.begin()) {
        const Allocation& before = *std::prev(next)->second;
        if (base - before.base < before.size) return std::nullopt;
    }
    return next;
}

bool MemoryMap::overlaps(std::uintptr_t base, std::size_t size) const {
    const std::shared_lock lock(mutex_);
    return !find_gap(base, size);
}

bool MemoryMap::add(const Pointer& allocation) {
    const std::unique_lock lock(mutex_);
    const auto gap = find_gap(allocation->base, allocation->size);
    if (!gap) return false;
    allocations_.emplace_hint(*gap, allocation->base, allocation);
    if (allocation->kind == MemoryKind::registered) registered_.fetch_add(1, std::memory_order_release);
    return true;
}

MemoryMap::Pointer MemoryMap::find(std::uintptr_t address) const {
    // Most host memory of a program lies outside the driver's range. The map contains such memory only if the program
    // has registered some.
    const bool is_foreign = !AddressSpace::instance().contains(address);
    if (is_foreign && registered_.load(std::memory_order_acquire) == 0) return nullptr;
    const std::shared_lock lock(mutex_);
    auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return nullptr;
    const Pointer& allocation = std::prev(after)->second;
    return allocation->contains(address, 1) ? allocation : nullptr;
}

MemoryMap::Pointer MemoryMap::find_nearest(std::uintptr_t address) const {
    const std::shared_lock lock(mutex_);
    const auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return after != allocations_.end() ? after->second : nullptr;
    const Pointer& before = std::prev(after)->second;
    if (after == allocations_.end() || address - before->base < before->size) return before;
    const std::uintptr_t end = before->base + before->size;
    return address - end < after->first - address ? before : after->second;
}

MemoryMap::Pointer MemoryMap::extract(Map::iterator entry) {
    Pointer allocation = std::move(entry->second);
    allocations_.erase(entry);
    if (allocation->kind == MemoryKind::registered) registered_.fetch_sub(1, std::memory_order_release);
    return allocation;
}

bool MemoryMap::begin_free(std::uintptr_t base) {
    const std::unique_lock lock(mutex_);
    const auto found = allocations_.find(base);
    if (found == allocations_.end()) return false;
    const Allocation& allocation = *found->second;
    const bool is_stream_ordered =
        allocation.kind == MemoryKind::device || allocation.pool != nullptr || allocation.address_owner != nullptr;
    if (allocation.is_being_freed || allocation.is_module_variable || allocation.is_kernel_heap || !is_stream_ordered)
        return false;
    found->second->is_being_freed = true;
    return true;
}

void MemoryMap::cancel_free(Allocation& allocation) {
    const std::unique_lock lock(mutex_);
    allocation.is_being_freed = false;
}

void MemoryMap::remove_all_of(CUcontext context) {
    std::vector<Pointer> removed;  // destroyed after the lock is released
    const std::unique_lock lock(mutex_);
    for (auto entry = allocations_.begin(); entry != allocations_.end();) {
        if (entry->second->context == context) {
            removed.push_back(extract(entry++));
        } else {
            ++entry;
        }
    }
}

}  // namespace CUBIND_NAMESPACE::sim
