// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once


#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cubind {

/// What a program cache finds a program by: a 128-bit hash of everything that the compiled program depends on.
struct CacheKey {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    /// 32 lower-case hexadecimal digits.
    std::string to_string() const;

    friend constexpr auto operator<=>(const CacheKey&, const CacheKey&) = default;
};

/// Makes a CacheKey of labelled parts. Labels, texts and their order all count, and each is hashed with its length, so that moving a
/// character from one part to the next gives another key. The version of the cache's own format is always a part. The hash (XXH3) is
/// good against accidents, not against somebody who looks for two programs with one key. For one thread at a time.
///
///     CacheKeyBuilder parts;
///     parts.add("source", source).add("compiler", "nvrtc 13.0").add("architecture", "sm_90");
///     for (const std::string& option : options) parts.add("option", option);
///     for (const auto& [name, content] : headers) parts.add("header name", name).add("header content", content);
///     CacheKey key = parts.key();
class CacheKeyBuilder {
public:
    CacheKeyBuilder();
    CacheKeyBuilder(CacheKeyBuilder&&) noexcept;
    CacheKeyBuilder& operator=(CacheKeyBuilder&&) noexcept;
    ~CacheKeyBuilder();

    /// Adds a part. `text` may hold any bytes, zeros too.
    CacheKeyBuilder& add(std::string_view label, std::string_view text);

    /// The key of what was added so far; more may be added afterwards.
    CacheKey key() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cubind
