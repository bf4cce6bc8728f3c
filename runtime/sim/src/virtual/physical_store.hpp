// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace cubind::sim {

/// Memory without an address, which can be seen at any number of addresses: one file that lies in no folder. Thread-safe.
class PhysicalStore {
public:
    static PhysicalStore& instance();

    /// Where in the file there is room for so many bytes.
    std::optional<std::size_t> take(std::size_t bytes);
    void give_back(std::size_t offset, std::size_t bytes);

    /// Makes bytes of the file what is seen at an address; false if that fails.
    bool show(std::uintptr_t address, std::size_t bytes, std::size_t offset) const;
    /// Makes an address mean nothing in particular again. What still reads or writes there harms nobody.
    static void hide(std::uintptr_t address, std::size_t bytes);

private:
    PhysicalStore();

    const int file_;
    std::mutex mutex_;
    std::size_t size_ = 0;
    std::map<std::size_t, std::deque<std::size_t>> free_;  ///< by size
};

/// What memory comes in, and what addresses of it are multiples of.
inline constexpr std::size_t physical_granularity = std::size_t{2} << 20;

}  // namespace cubind::sim
