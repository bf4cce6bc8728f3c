// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "pools.hpp"

#include <algorithm>
#include <cstring>

namespace cubind::fuzz {

void Pools::add(std::size_t pool, const std::byte* value, std::size_t size) {
    if (size > max_bytes) return;
    Entry entry{};
    std::memcpy(entry.data(), value, size);
    const std::lock_guard lock(mutex_);
    std::vector<Entry>& entries = pools_[pool];
    if (entries.size() == max_entries) entries.erase(entries.begin());
    entries.push_back(entry);
}

void Pools::pick(std::size_t pool, std::byte* value, std::size_t size, Choices& choices) const {
    const std::lock_guard lock(mutex_);
    const std::vector<Entry>& entries = pools_[pool];
    if (size > max_bytes || entries.empty()) return;
    // Recent entries are the most likely to be valid.
    const std::size_t newest = entries.size() - 1;
    const std::size_t age = choices.below(choices.one_in(4) ? entries.size() : std::min<std::size_t>(entries.size(), 2));
    std::memcpy(value, entries[newest - age].data(), size);
}

std::byte* Pools::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    return allocations_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
}

void Pools::clear() {
    const std::lock_guard lock(mutex_);
    for (auto& entries : pools_) entries.clear();
    allocations_.clear();
}

}  // namespace cubind::fuzz
