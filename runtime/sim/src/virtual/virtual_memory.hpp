// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "memory/allocation.hpp"
#include "virtual/mapping.hpp"

namespace cubind::sim {

/// The ranges of addresses that a program has reserved, and what it has mapped there. Thread-safe.
class VirtualMemory {
public:
    ~VirtualMemory();

    /// 0 where there are no such addresses left.
    std::uintptr_t reserve(std::size_t bytes, std::size_t alignment);
    /// Only all of a reservation in which nothing is mapped can be freed.
    CUresult free(std::uintptr_t address, std::size_t bytes);

    CUresult map(std::uintptr_t address, std::size_t bytes, std::size_t offset, const std::shared_ptr<PhysicalMemory>& memory);
    /// Any number of whole mappings, one beside the other.
    CUresult unmap(std::uintptr_t address, std::size_t bytes);
    CUresult set_access(std::uintptr_t address, std::size_t bytes, const CUmemAccessDesc* descriptors, std::size_t count);

private:
    struct Reservation {
        std::size_t size;
        std::uintptr_t taken;  ///< from the address space, with room for the alignment
        std::size_t bytes_taken;
    };
    using Mappings = std::map<std::uintptr_t, std::shared_ptr<Allocation>>;

    /// The mappings that make up exactly this range; none if none do.
    std::vector<Mappings::iterator> mappings_in(std::uintptr_t address, std::size_t bytes);

    std::mutex mutex_;
    std::map<std::uintptr_t, Reservation> reservations_;
    Mappings mappings_;
};

}  // namespace cubind::sim
