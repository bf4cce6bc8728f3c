// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_cache_key.hpp>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

// ---- names of files ------------------------------------------------------------------------------------------------------

[[nodiscard]] std::string entry_name(const CacheKey& key);
[[nodiscard]] std::string lock_name(const CacheKey& key);
/// Returns a different name at each call.
[[nodiscard]] std::string temporary_name(const CacheKey& key);

// ---- content -------------------------------------------------------------------------------------------------------------

/// The file of a program.
struct FolderEntry {
    std::string name;
    std::size_t size;  ///< in bytes
    timespec last_use;
};

/// The files of a cache's folder. Other files are ignored.
struct FolderContent {
    std::vector<FolderEntry> entries;
    /// Locks and temporary files that are so old that their processes must have been killed.
    std::vector<std::string> leftovers;
    /// The size of all entries in bytes.
    std::size_t size = 0;
};

/// Lists the folder. Throws std::system_error if it cannot be read.
[[nodiscard]] FolderContent content_of(int folder);

/// Removes the least recently used programs until the rest is no larger than `max_size` bytes, and the files that
/// killed processes left. Returns the number of removed programs.
std::uint64_t trim(int folder, std::size_t max_size);

}  // namespace CUBIND_NAMESPACE::detail
