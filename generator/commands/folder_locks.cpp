// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/folder_locks.hpp"

#include <iostream>
#include <map>

namespace cubind::gen::commands {
namespace fs = std::filesystem;
namespace {

fs::path existing_folder(const fs::path& folder) {
    fs::path existing = fs::weakly_canonical(fs::absolute(folder));
    while (!fs::is_directory(existing) && existing.has_relative_path()) existing = existing.parent_path();
    return existing;
}

void announce_wait(const fs::path& folder) {
    std::cerr << "cubind-gen: waiting for another cubind-gen that uses " << folder.string() << "\n";
}

}  // namespace

FolderLocks::FolderLocks(const std::vector<fs::path>& read, const std::vector<fs::path>& written) {
    // All processes lock in the order of the paths, so that no two wait for each other.
    std::map<fs::path, bool> is_written;
    const auto add = [&](fs::path folder, bool writes) {
        is_written[folder] |= writes;
        // A process that creates this folder has locked a folder above it. Those are locked against such a process only.
        for (; folder.has_relative_path(); folder = folder.parent_path()) is_written[folder.parent_path()];
    };
    for (const auto& folder : read) add(existing_folder(folder), false);
    for (const auto& folder : written) add(existing_folder(folder), true);
    for (const auto& [folder, written_to] : is_written) locks_.emplace_back(folder, written_to, announce_wait);
}

}  // namespace cubind::gen::commands
