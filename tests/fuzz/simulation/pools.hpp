// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "choices.hpp"

namespace cubind::fuzz {

/// Results of calls: handles by their type, which may be stale, and records that other calls take. Thread-safe.
class Pools {
public:
    explicit Pools(std::size_t count) : pools_(count) {}

    void add(std::size_t pool, const std::byte* value, std::size_t size);
    /// Writes an entry to `value`, or leaves `value` unchanged if the pool is empty.
    void pick(std::size_t pool, std::byte* value, std::size_t size, Choices& choices) const;
    /// Returns zero bytes that live until clear().
    std::byte* allocate(std::size_t bytes);
    void clear();

private:
    static constexpr std::size_t max_entries = 16;
    static constexpr std::size_t max_bytes = 144;
    using Entry = std::array<std::byte, max_bytes>;

    mutable std::mutex mutex_;
    std::vector<std::vector<Entry>> pools_;
    std::vector<std::unique_ptr<std::byte[]>> allocations_;
};

}  // namespace cubind::fuzz
