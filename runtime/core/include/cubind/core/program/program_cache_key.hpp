// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/private_state.hpp>
#include <cubind/detail/abi.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// The key of a program in a cache: a 256-bit hash of everything that the compiled program depends on.
struct CUBIND_EXPORT CacheKey {
    std::array<std::byte, 32> bytes{};  ///< the hash

    /// Returns 64 lower-case hexadecimal digits.
    [[nodiscard]] std::string to_string() const;

    /// Compares the bytes in their order.
    [[nodiscard]] friend constexpr std::strong_ordering operator<=>(const CacheKey&, const CacheKey&) = default;
};

/// Computes a CacheKey of labeled parts. Labels, texts and their order matter. Each is hashed with its length, so moving a
/// character from one part to the next gives another key. The version of the cache's format is always a part. The hash is
/// cryptographic (BLAKE2b): it is infeasible to construct two lists of parts with the same key. Only one thread at a time may
/// use it.
///
///     CacheKeyBuilder parts;
///     parts.add("source", source).add("compiler", "nvrtc 13.0").add("architecture", "sm_90");
///     for (const std::string& option : options) parts.add("option", option);
///     for (const auto& [name, content] : headers) parts.add("header name", name).add("header content", content);
///     CacheKey key = parts.key();
class CUBIND_EXPORT CacheKeyBuilder {
public:
    /// Starts a key without parts.
    CacheKeyBuilder();
    /// Moves the parts. The other builder may only be assigned or destroyed afterwards.
    CacheKeyBuilder(CacheKeyBuilder&&) noexcept;
    /// Replaces the parts by the parts of the other builder.
    CacheKeyBuilder& operator=(CacheKeyBuilder&&) noexcept;
    /// Destroys the builder. Keys remain valid.
    ~CacheKeyBuilder();

    /// Adds a part. `text` may contain any bytes, including zeros.
    CacheKeyBuilder& add(std::string_view label, std::string_view text);

    /// Returns the key of the parts that were added so far. More parts may follow.
    [[nodiscard]] CacheKey key() const;

private:
    struct State;
    detail::PrivateState<State> state_;
};

}  // namespace CUBIND_NAMESPACE
