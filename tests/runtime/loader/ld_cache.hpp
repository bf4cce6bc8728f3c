// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cubind::testing {

#if defined(__aarch64__)
inline constexpr std::int32_t native_flags = 0x0a03;
#else
inline constexpr std::int32_t native_flags = 0x0303;
#endif

inline void append(std::string& bytes, const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A row of a cache of ld.so.
struct CacheRow {
    std::int32_t flags;
    std::uint64_t hardware;
    const char* path;
};

/// Returns a cache of ld.so with these rows for a library of this name.
inline std::string cache_of(const std::vector<CacheRow>& rows, const std::string& name = "libx.so.1") {
    std::string texts = name + '\0';
    std::string cache = "glibc-ld.so.cache1.1";
    append(cache, static_cast<std::uint32_t>(rows.size()));
    cache.resize(48);
    const auto begin = static_cast<std::uint32_t>(48 + 24 * rows.size());
    for (const CacheRow& row : rows) {
        append(cache, row.flags);
        append(cache, begin);
        append(cache, static_cast<std::uint32_t>(begin + texts.size()));
        append(cache, std::uint32_t{0});
        append(cache, row.hardware);
        texts += row.path;
        texts += '\0';
    }
    return cache + texts;
}

}  // namespace cubind::testing
