// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace CUBIND_NAMESPACE::sim {

/// Memory without an address, which can be mapped at any number of addresses: one anonymous file.
/// Thread-safe.
class PhysicalStore {
public:
    static PhysicalStore& instance();

    /// Allocates bytes and returns their position in the file, or nullopt.
    std::optional<std::size_t> allocate(std::size_t bytes);
    /// Frees bytes at a position.
    void free(std::size_t offset, std::size_t bytes);

    /// Maps bytes of the file at an address. Returns false on failure.
    bool map(std::uintptr_t address, std::size_t bytes, std::size_t offset) const;
    /// Replaces the mapping at an address by anonymous memory, so that late accesses stay harmless.
    static void unmap(std::uintptr_t address, std::size_t bytes);

private:
    PhysicalStore();

    const int file_;
    std::mutex mutex_;
    std::size_t size_ = 0;
    std::map<std::size_t, std::deque<std::size_t>> free_;  ///< free positions by size
};

/// Sizes and addresses of physical memory are multiples of this many bytes.
inline constexpr std::size_t physical_granularity = std::size_t{2} << 20;

}  // namespace CUBIND_NAMESPACE::sim
