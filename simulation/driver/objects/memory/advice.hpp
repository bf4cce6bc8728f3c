// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <set>

namespace CUBIND_NAMESPACE::sim {

/// Hints about the location of managed memory. They are stored for queries only, because all simulated memory is in one
/// place.
struct Advice {
    /// A location: a device's ordinal, or one of the two constants below.
    struct Location {
        driver::CUmemLocationType type = driver::CU_MEM_LOCATION_TYPE_INVALID;
        int id = no_location;

        bool operator==(const Location& other) const noexcept { return type == other.type && id == other.id; }
    };
    static constexpr int host = -1;
    static constexpr int no_location = -2;

    bool read_mostly = false;
    Location preferred;
    Location last_prefetch;
    std::set<int> accessed_by;
};

/// The advice for each page of one allocation. Thread-safe.
class AdviceMap {
public:
    AdviceMap() { from_.emplace(0, Advice{}); }

    /// Calls `change(advice)` for the advice of all pages that overlap the range.
    template <class Change>
    void change(std::size_t offset, std::size_t bytes, Change change) {
        const std::lock_guard lock(mutex_);
        const auto end = split((offset + bytes + page - 1) / page * page);
        for (auto each = split(offset / page * page); each != end; ++each) change(each->second);
    }
    /// Calls `visit(advice)` for the advice of all pages that overlap the range.
    template <class Visit>
    void for_each(std::size_t offset, std::size_t bytes, Visit visit) const {
        const std::lock_guard lock(mutex_);
        for (auto each = std::prev(from_.upper_bound(offset)); each != from_.end() && each->first < offset + bytes; ++each) {
            visit(each->second);
        }
    }

private:
    static constexpr std::size_t page = 4096;
    using Map = std::map<std::size_t, Advice>;

    /// Returns the entry that begins at the offset. If there is none, creates it with the same advice as the page
    /// before.
    Map::iterator split(std::size_t offset) {
        const auto before = std::prev(from_.upper_bound(offset));
        return before->first == offset ? before : from_.emplace(offset, before->second).first;
    }

    mutable std::mutex mutex_;
    Map from_;
};

}  // namespace CUBIND_NAMESPACE::sim
