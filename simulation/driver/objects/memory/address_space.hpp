// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

namespace CUBIND_NAMESPACE::sim {

/// One range of addresses for all memory that the driver allocates. The address alone shows whether memory is, or was,
/// the driver's. The addresses are accessible memory of the process. Thread-safe.
class AddressSpace {
public:
    /// Returns the only instance. It outlives machines, so that stale pointers stay recognizable.
    static AddressSpace& instance();

    /// Allocates this many bytes with the driver's alignment. Returns 0 if the range is exhausted.
    std::uintptr_t allocate(std::size_t bytes);
    /// Frees an allocation of this many bytes.
    void free(std::uintptr_t address, std::size_t bytes) noexcept;
    /// Sets memory of an allocation to zero. Pages that were never accessed still use no memory.
    static void clear(std::uintptr_t address, std::size_t bytes) noexcept;

    /// Checks whether the address lies in the range.
    bool contains(std::uintptr_t address) const noexcept { return address - begin_ < size_; }
    /// Checks whether a part of these bytes, of which there are some, lies in the range.
    bool overlaps(std::uintptr_t address, std::size_t bytes) const noexcept {
        return contains(address) || begin_ - address < bytes;
    }

private:
    AddressSpace();

    std::uintptr_t begin_ = 0;
    std::size_t size_ = 0;
    std::mutex mutex_;
    std::size_t used_ = 0;  ///< bytes from the beginning that were allocated at least once
    /// Free addresses by size class, in the order in which they were freed.
    std::map<std::size_t, std::deque<std::uintptr_t>> free_;
};

}  // namespace CUBIND_NAMESPACE::sim
