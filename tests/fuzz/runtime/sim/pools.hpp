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

/// What calls have given: handles by their kind, valid or not any more, and records that other calls take. Thread-safe.
class Pools {
public:
    explicit Pools(std::size_t count) : pools_(count) {}

    void add(std::size_t pool, const std::byte* value, std::size_t size);
    /// Writes an entry to `value`; leaves it as it is where the pool is empty.
    void pick(std::size_t pool, std::byte* value, std::size_t size, Choices& choices) const;
    /// Zero bytes that live until everything is cleared.
    std::byte* lasting(std::size_t bytes);
    void clear();

private:
    static constexpr std::size_t most_entries = 16;
    static constexpr std::size_t most_bytes = 144;
    using Entry = std::array<std::byte, most_bytes>;

    mutable std::mutex mutex_;
    std::vector<std::vector<Entry>> pools_;
    std::vector<std::unique_ptr<std::byte[]>> lasting_;
};

}  // namespace cubind::fuzz
