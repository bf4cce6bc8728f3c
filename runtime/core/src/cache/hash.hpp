// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace CUBIND_NAMESPACE::detail {

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// Returns the hash of a head that is followed by a body, without concatenating them.
[[nodiscard]] Hash128 hash_of(const void* head, std::size_t head_size, const void* body, std::size_t body_size) noexcept;

/// A hash of data that is added in parts.
class RunningHash {
public:
    RunningHash();
    ~RunningHash();

    void add(const void* data, std::size_t size) noexcept;
    Hash128 value() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace CUBIND_NAMESPACE::detail
