// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/bytes.hpp>
#include <cubind/core/program_cache_key.hpp>

#include <string>

namespace cubind::detail {

enum class EntryState { intact, absent, damaged, unreadable };

struct ReadEntry {
    EntryState state;
    Bytes program{};
    /// Why it is unreadable, an errno.
    int error = 0;
};

/// Reads the program of a key from the file `name` in a folder, and marks it as used now. Waits for nothing, whatever lies there.
ReadEntry read_entry(int folder, const std::string& name, const CacheKey& key);

/// Puts a program into a folder, as a whole or not at all. Gives 0 or an errno.
int write_entry(int folder, const std::string& name, const CacheKey& key, const Bytes& program);

/// How many bytes the file of a program takes.
std::size_t entry_file_size(const Bytes& program) noexcept;

}  // namespace cubind::detail
