// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace CUBIND_NAMESPACE::sim::ptx {

/// The windows of generic addresses. No memory of the host has such addresses, so that an address shows its state space.
enum class Window : std::uint8_t { global = 0, shared = 0x11, local = 0x12, parameter = 0x13, code = 0x14 };

constexpr unsigned window_shift = 56;
constexpr std::uint64_t window_mask = (std::uint64_t{1} << window_shift) - 1;

constexpr std::uint64_t window_base(Window window) noexcept {
    return static_cast<std::uint64_t>(window) << window_shift;
}
constexpr Window window_of(std::uint64_t address) noexcept {
    return static_cast<Window>(address >> window_shift);
}

/// Addresses of shared memory have the rank of the block in its cluster above this bit. Those of a launch without clusters have
/// none.
constexpr unsigned rank_shift = 24;
/// Returns the address at which the shared memory of the block with this rank begins in its state space.
constexpr std::uint64_t shared_address(unsigned rank) noexcept {
    return std::uint64_t{rank} << rank_shift;
}

/// Addresses of one allocation, which a kernel may access.
struct MemoryRange {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    bool is_read_only = false;
    bool is_constant = false;           ///< whether it is a variable in .const; its global address allows stores
    std::shared_ptr<const void> owner;  ///< keeps the memory while a kernel may access it

    bool contains(std::uint64_t address, std::uint64_t bytes) const noexcept {
        return bytes <= size && address - begin <= size - bytes;
    }
};

/// The global memory that a kernel may access. Thread-safe.
class GlobalMemory {
public:
    virtual ~GlobalMemory() = default;
    /// Finds the allocation that contains the address. Returns false if there is none.
    virtual bool find(std::uint64_t address, MemoryRange& range) const = 0;
    /// States why an address that is not found cannot be accessed, as the end of a sentence whose subject is the access.
    virtual std::string describe(std::uint64_t address) const = 0;
    /// Allocates and frees memory on behalf of a kernel. Return 0 and false on failure.
    virtual std::uint64_t allocate(std::size_t bytes) = 0;
    virtual bool free(std::uint64_t address) = 0;
};

/// The ranges that one thread of the simulation accessed last.
class RangeCache {
public:
    explicit RangeCache(const GlobalMemory& memory) : memory_(memory) {}

    /// Returns the range that contains these bytes, or null. Each `user`, such as an instruction, finds the range that it used
    /// last at once.
    const MemoryRange* find(std::uint64_t address, std::uint64_t bytes, const void* user = nullptr) {
        std::uint8_t& last = last_[reinterpret_cast<std::uintptr_t>(user) / 64 % last_.size()];
        if (ranges_[last].contains(address, bytes)) [[likely]]
            return &ranges_[last];
        return find_other(address, bytes, last);
    }

private:
    const MemoryRange* find_other(std::uint64_t address, std::uint64_t bytes, std::uint8_t& last);

    const GlobalMemory& memory_;
    std::array<MemoryRange, 16> ranges_;
    std::array<std::uint8_t, 64> last_{};  ///< by a part of the user's address
    std::uint8_t next_ = 0;
};

/// Thrown by handlers: ends the launch.
struct Fault {
    driver::CUresult status;
    std::string what;
    int lane = -1;  ///< thread of the warp; -1 for all
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
