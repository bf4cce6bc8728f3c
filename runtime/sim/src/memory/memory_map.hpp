// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>

#include "memory/allocation.hpp"

namespace cubind::sim {

/// All memory that the driver knows, by address. Thread-safe.
class MemoryMap {
public:
    using Pointer = std::shared_ptr<Allocation>;

    /// False, and nothing added, where it overlaps with what is there.
    bool add(const Pointer& allocation);
    /// The allocation that the address lies in, null if there is none.
    Pointer find(std::uintptr_t address) const;
    /// Removes the allocation that begins just there, if `selects(allocation)`; null otherwise.
    template <class Selects>
    Pointer remove(std::uintptr_t base, Selects selects) {
        const std::unique_lock lock(mutex_);
        const auto found = allocations_.find(base);
        if (found == allocations_.end() || !selects(*found->second)) return nullptr;
        return take(found);
    }
    /// Marks the allocation that begins just there as one that a stream will free; false if there is none, or it is marked.
    bool begin_free(std::uintptr_t base);
    /// Takes the mark away, since the stream will not.
    void cancel_free(Allocation& allocation);
    void remove_all_of(CUcontext context);

private:
    using Map = std::map<std::uintptr_t, Pointer>;

    Pointer take(Map::iterator entry);

    mutable std::shared_mutex mutex_;
    std::atomic<std::size_t> registered_{0};  ///< those outside the driver's own addresses
    Map allocations_;
};

}  // namespace cubind::sim
