// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/bytes.hpp>
#include <cubind/core/program_cache_key.hpp>

#include "cache/hash.hpp"

#include <cstddef>
#include <cstdint>

namespace cubind::detail {

/// Part of every key, so that another format never finds, and never removes, what this one wrote.
inline constexpr std::uint32_t entry_format_version = 1;

/// How a file of a program begins; the program follows. Everything is in the machine's byte order: where that is another one, the
/// magic number does not fit.
struct EntryHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t reserved;
    std::uint64_t length;
    CacheKey key;
    /// Of all that stands before it and of the program.
    Hash128 checksum;
};
static_assert(sizeof(EntryHeader) == 56);

EntryHeader make_entry_header(const CacheKey& key, const Bytes& program) noexcept;

/// Whether a file that begins so can hold a program of this key and length. Tells much of what is wrong before anything is read.
bool fits(const EntryHeader& header, const CacheKey& key, std::uint64_t length) noexcept;

/// Whether header and program are as they were written.
bool is_intact(const EntryHeader& header, const void* program) noexcept;

}  // namespace cubind::detail
