// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/folder_locks.hpp"

#include <cerrno>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <sys/file.h>
#include <unistd.h>

namespace cubind::gen::commands {
namespace fs = std::filesystem;
namespace {

fs::path existing_folder(const fs::path& folder) {
    fs::path existing = fs::weakly_canonical(fs::absolute(folder));
    while (!fs::is_directory(existing) && existing.has_relative_path()) existing = existing.parent_path();
    return existing;
}

int lock(const fs::path& folder, bool is_written) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return descriptor;
    const int operation = is_written ? LOCK_EX : LOCK_SH;
    if (::flock(descriptor, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        std::cerr << "cubind-gen: waiting for another cubind-gen that uses " << folder.string() << "\n";
        while (::flock(descriptor, operation) != 0 && errno == EINTR) continue;
    }
    return descriptor;
}

}  // namespace

FolderLocks::FolderLocks(const std::vector<fs::path>& read, const std::vector<fs::path>& written) {
    // All processes lock in the order of the paths, so that no two wait for each other.
    std::map<fs::path, bool> is_written;
    for (const auto& folder : read) is_written[existing_folder(folder)];
    for (const auto& folder : written) is_written[existing_folder(folder)] = true;
    for (const auto& [folder, written_to] : is_written) descriptors_.push_back(lock(folder, written_to));
}

FolderLocks::~FolderLocks() {
    for (const int descriptor : descriptors_) {
        if (descriptor >= 0) ::close(descriptor);
    }
}

}  // namespace cubind::gen::commands
