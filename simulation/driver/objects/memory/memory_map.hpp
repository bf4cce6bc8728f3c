// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>

#include "objects/memory/allocation.hpp"

namespace CUBIND_NAMESPACE::sim {

/// All allocations of the driver, by address. Thread-safe.
class MemoryMap {
public:
    using Pointer = std::shared_ptr<Allocation>;

    /// Adds an allocation. Returns false and adds nothing if it overlaps another one.
    bool add(const Pointer& allocation);
    /// Checks whether an allocation has a part of these bytes.
    bool overlaps(std::uintptr_t base, std::size_t size) const;
    /// Returns the allocation that contains the address, or null.
    Pointer find(std::uintptr_t address) const;
    /// Returns the allocation whose begin or end is nearest to the address, or null if there are no allocations.
    Pointer find_nearest(std::uintptr_t address) const;
    /// Removes and returns the allocation that begins at `base` if `selects(allocation)` is true, otherwise returns
    /// null.
    template <class Selects>
    Pointer remove(std::uintptr_t base, Selects selects) {
        const std::unique_lock lock(mutex_);
        const auto found = allocations_.find(base);
        if (found == allocations_.end() || !selects(*found->second)) return nullptr;
        return extract(found);
    }
    /// Marks the allocation that begins at `base` as being freed by a stream. Returns false if there is none, it is
    /// marked already, or it cannot be freed in stream order.
    bool begin_free(std::uintptr_t base);
    /// Removes the mark, because the stream did not accept the work.
    void cancel_free(Allocation& allocation);
    /// Removes all allocations that end with the context.
    void remove_all_of(driver::CUcontext context);

private:
    using Map = std::map<std::uintptr_t, Pointer>;

    /// Returns where an allocation would be inserted, or nothing if it overlaps another one.
    std::optional<Map::const_iterator> find_gap(std::uintptr_t base, std::size_t size) const;
    Pointer extract(Map::iterator entry);

    mutable std::shared_mutex mutex_;
    std::atomic<std::size_t> registered_{0};  ///< allocations outside the driver's own range
    Map allocations_;
};

}  // namespace CUBIND_NAMESPACE::sim
