// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

/// What the generator needs of the operating system.
namespace cubind::gen {

int process_id();

/// Returns the folder of this program's file.
std::filesystem::path own_folder();

/// Prepares for several threads that allocate millions of small objects. Growing the heap in larger steps saves a fifth of the
/// run time.
void prepare_heap();

/// Returns whether `name` is `pattern`, in which * stands for any characters.
bool matches(const std::string& pattern, const std::string& name);

/// Whether messages on the standard error stream appear on a terminal.
bool has_terminal();

/// Returns the memory of this process that is in use, in GiB; 0 if the system does not state it.
double memory_in_use();

/// A lock on a folder, which other processes respect. It is shared unless the folder is written to.
class FolderLock {
public:
    /// Locks the folder. If another process holds the lock, calls `wait` with the folder, and waits. Does nothing if the folder
    /// cannot be opened or has no locks.
    FolderLock(const std::filesystem::path& folder, bool is_written, void (*wait)(const std::filesystem::path& folder));
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

private:
    int descriptor_;
};

}  // namespace cubind::gen
