// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cubind::fuzz {

/// A source of random decisions: the finite bytes of a fuzzer input, or an endless sequence from a seed.
class Choices {
public:
    Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    explicit Choices(std::uint64_t seed) : state_(seed), is_endless_(true) {}

    /// Returns whether no bytes are left. All further choices are 0.
    bool is_exhausted() const noexcept { return !is_endless_ && size_ == 0; }

    std::uint64_t word() noexcept { return take(8); }
    /// Returns a number from 0 to count - 1.
    std::uint64_t below(std::uint64_t count) noexcept { return take(count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 8) % count; }
    bool one_in(std::uint64_t count) noexcept { return below(count) == count - 1; }

private:
    std::uint64_t take(std::size_t bytes) noexcept {
        if (is_endless_) return next();
        const std::size_t taken = bytes < size_ ? bytes : size_;
        std::uint64_t value = 0;
        if (taken != 0) std::memcpy(&value, data_, taken);
        data_ += taken;
        size_ -= taken;
        return value;
    }
    // Advances the splitmix64 generator.
    std::uint64_t next() noexcept {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t state_ = 0;
    bool is_endless_ = false;
};

}  // namespace cubind::fuzz
