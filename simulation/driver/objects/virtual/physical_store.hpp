// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "support/owned_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Memory without an address, which can be mapped at any number of addresses: one anonymous file.
/// Thread-safe.
class PhysicalStore {
public:
    static PhysicalStore& instance();
    /// Checks whether the process has physical memory.
    static bool is_in_use() noexcept;
    /// Gives the child of a fork() a store of its own, because the file of the current store is the parent's, too.
    static void renew() noexcept;

    /// Allocates bytes and returns their position in the file, or nullopt.
    std::optional<std::size_t> allocate(std::size_t bytes);
    /// Frees bytes at a position.
    void free(std::size_t offset, std::size_t bytes) noexcept;
    /// Maps bytes of the file at an address. Children of fork() do not inherit the mapping. Returns false on failure.
    bool map(std::uintptr_t address, std::size_t bytes, std::size_t offset) const;
    /// Maps bytes of any file, like map().
    static bool map_file(int file, std::uintptr_t address, std::size_t bytes, std::size_t offset);
    /// Counts bytes of physical memory that lie in another file.
    void add_use(std::size_t bytes) noexcept { used_.fetch_add(bytes, std::memory_order_acq_rel); }
    /// Subtracts bytes that add_use() has counted.
    void remove_use(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_acq_rel); }
    /// Replaces the mapping at an address by anonymous memory, so that late accesses stay harmless.
    static void unmap(std::uintptr_t address, std::size_t bytes);

private:
    PhysicalStore();

    const OwnedFile file_;
    PhysicalStore* of_parent_ = nullptr;  ///< the parent's own previous store
    std::mutex mutex_;
    std::size_t size_ = 0;
    std::atomic<std::size_t> used_{0};                     ///< allocated bytes, and those of add_use()
    std::map<std::size_t, std::deque<std::size_t>> free_;  ///< free positions by size
};

/// Sizes and addresses of physical memory are multiples of this many bytes.
inline constexpr std::size_t physical_granularity = std::size_t{2} << 20;

}  // namespace CUBIND_NAMESPACE::sim
