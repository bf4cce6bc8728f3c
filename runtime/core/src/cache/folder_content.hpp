// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cubind::detail {

/// The file of a program.
struct FolderEntry {
    std::string name;
    std::size_t size;
    timespec last_use;
};

/// What lies in a cache's folder.
struct FolderContent {
    std::vector<FolderEntry> entries;
    /// Locks and temporary files that are so old that those who made them were killed.
    std::vector<std::string> leftovers;
    /// Bytes of all entries.
    std::size_t size = 0;
};

/// Throws std::system_error where the folder cannot be read.
FolderContent content_of(int folder);

/// Removes the least recently used programs until the rest is no larger than `max_size`, and what killed processes left. Gives how
/// many programs.
std::uint64_t trim(int folder, std::size_t max_size);

}  // namespace cubind::detail
