// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_cache_key.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- names of files ------------------------------------------------------------------------------------------------------

[[nodiscard]] std::string entry_name(const CacheKey& key);
[[nodiscard]] std::string lock_name(const CacheKey& key);
/// Returns a different name at each call.
[[nodiscard]] std::string temporary_name(const CacheKey& key);

// ---- content -------------------------------------------------------------------------------------------------------------

/// A file of the cache.
struct FolderEntry {
    std::string name;
    std::size_t size;  ///< in bytes
    FileTime last_use;
    bool is_usable;  ///< whether its status is that of an entry; see can_be_entry()
};

/// The files of a cache's folder. Foreign files are ignored.
struct FolderContent {
    /// The programs.
    std::vector<FolderEntry> entries;
    /// Locks and temporary files. They belong to processes that use the cache now, or to processes that were killed.
    std::vector<FolderEntry> others;
    /// The size of all these files in bytes.
    std::size_t size = 0;
};

/// Lists the folder. Throws std::system_error if it cannot be read.
[[nodiscard]] FolderContent content_of(int folder);

/// Removes the files that killed processes left, and then the least recently used programs until the rest is no larger than
/// `max_size` bytes. The file `replaced`, which is about to be replaced, neither counts nor is removed. Returns the number of
/// removed programs.
std::uint64_t trim(int folder, std::size_t max_size, const std::string& replaced = {});

}  // namespace CUBIND_NAMESPACE::detail
