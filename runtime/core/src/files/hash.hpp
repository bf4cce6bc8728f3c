// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace CUBIND_NAMESPACE::detail {

using Hash = std::array<std::byte, 32>;

/// Returns the bytes as lower-case hexadecimal digits.
[[nodiscard]] std::string hexadecimal(std::span<const std::byte> bytes);

/// A cryptographic hash, BLAKE2b-256, of data that is added in parts.
class RunningHash {
public:
    RunningHash() noexcept;

    void add(const void* data, std::size_t size) noexcept;
    /// Returns the hash of the data that was added so far. More may follow.
    [[nodiscard]] Hash value() const noexcept;

private:
    // The state of libsodium, whose header only hash.cpp needs.
    alignas(64) std::array<std::byte, 384> state_;
};

}  // namespace CUBIND_NAMESPACE::detail
