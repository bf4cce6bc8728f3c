// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "objects/memory/memory_map.hpp"
#include "objects/virtual/mapping.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The address ranges that a program has reserved, and its mappings in them. Thread-safe.
class VirtualMemory {
public:
    /// `memory` receives the mappings.
    VirtualMemory(MemoryMap& memory, const Devices& devices) : memory_(memory), devices_(devices) {}
    ~VirtualMemory();

    /// Reserves a range. Returns 0 if the address space is exhausted.
    std::uintptr_t reserve(std::size_t bytes, std::size_t alignment);
    /// Frees a whole reservation without mappings.
    driver::CUresult free(std::uintptr_t address, std::size_t bytes);

    /// Maps a whole physical allocation within a reservation.
    driver::CUresult map(std::uintptr_t address, std::size_t bytes, std::size_t offset,
                         const std::shared_ptr<PhysicalMemory>& memory);
    /// Unmaps any number of whole, adjacent mappings, which no work may use.
    driver::CUresult unmap(std::uintptr_t address, std::size_t bytes);
    /// Sets the access of devices to whole, adjacent mappings.
    driver::CUresult set_access(std::uintptr_t address, std::size_t bytes, const driver::CUmemAccessDesc* descriptors,
                                std::size_t count);

private:
    struct Reservation {
        std::size_t size;
        std::uintptr_t allocated_base;  ///< address of the range, which includes space for the alignment
        std::size_t allocated_bytes;
    };
    using Mappings = std::map<std::uintptr_t, std::shared_ptr<Allocation>>;

    /// Maps the memory at the addresses of the allocation, and adds the allocation to the memory map.
    driver::CUresult add(const std::shared_ptr<Allocation>& allocation, const PhysicalMemory& memory) noexcept;
    /// Returns the mappings that make up exactly this range, or an empty list.
    std::vector<Mappings::iterator> mappings_in(std::uintptr_t address, std::size_t bytes);

    MemoryMap& memory_;
    const Devices& devices_;
    std::mutex mutex_;
    std::map<std::uintptr_t, Reservation> reservations_;
    Mappings mappings_;
};

}  // namespace CUBIND_NAMESPACE::sim
