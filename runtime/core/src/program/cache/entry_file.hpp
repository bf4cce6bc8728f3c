// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/bytes.hpp>
#include <cubind/core/program/program_cache_key.hpp>

#include <cstdint>
#include <string>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The version of the file format. It is a part of every key, so that another version neither finds nor removes the files of
/// this version.
inline constexpr std::uint32_t entry_format_version = 2;

enum class EntryState { intact, absent, damaged, unreadable };

struct ReadEntry {
    EntryState state;
    Bytes program{};
    /// The errno of an unreadable entry.
    int error = 0;
};

/// Returns whether an entry can have this status: a regular file of a trusted owner with room for a header.
[[nodiscard]] bool can_be_entry(const FileStatus& status);

/// Reads the program of a key from the file `name` in a folder, and marks it as used now if it belongs to this user. It never
/// blocks, even if the file is not a regular file.
[[nodiscard]] ReadEntry read_entry(int folder, const std::string& name, const CacheKey& key);

/// Writes a program to a folder atomically. Returns 0 or an errno.
[[nodiscard]] int write_entry(int folder, const std::string& name, const CacheKey& key, const Bytes& program);

/// Returns the size in bytes of the file of a program.
[[nodiscard]] std::size_t entry_file_size(const Bytes& program) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
