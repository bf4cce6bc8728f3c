// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "system.hpp"

namespace cubind::gen::commands {

/// Keeps other processes of cubind-gen from writing folders that this one reads, and from using folders that it writes, until the
/// object is destroyed. The constructor waits for them. On a file system without locks, it locks nothing.
class FolderLocks {
public:
    /// A folder that does not exist yet is locked by its nearest parent, so processes that create folders in one folder take
    /// turns.
    FolderLocks(const std::vector<std::filesystem::path>& read, const std::vector<std::filesystem::path>& written);
    FolderLocks(const FolderLocks&) = delete;
    FolderLocks& operator=(const FolderLocks&) = delete;

private:
    std::vector<FolderLock> locks_;
};

}  // namespace cubind::gen::commands
