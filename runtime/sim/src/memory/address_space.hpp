// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

namespace cubind::sim {

/// One range of addresses for all memory that the driver hands out, so that an address tells whether it is, or once was, the
/// driver's. Addresses are real memory of the process. Thread-safe.
class AddressSpace {
public:
    /// The only one: it outlives machines, so that stale pointers stay recognisable.
    static AddressSpace& instance();

    /// Room for this many bytes, aligned as the driver aligns; 0 when there is none left.
    std::uintptr_t take(std::size_t bytes);
    void give_back(std::uintptr_t address, std::size_t bytes);

    bool contains(std::uintptr_t address) const noexcept { return address - begin_ < size_; }

private:
    AddressSpace();

    std::uintptr_t begin_ = 0;
    std::size_t size_ = 0;
    std::mutex mutex_;
    std::size_t used_ = 0;  ///< bytes from the beginning that have been taken at least once
    std::map<std::size_t, std::deque<std::uintptr_t>> free_;  ///< by size class; the longest free comes first
};

}  // namespace cubind::sim
