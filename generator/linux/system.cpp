// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fnmatch.h>
#include <fstream>
#include <malloc.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace cubind::gen {

int process_id() {
    return ::getpid();
}

std::filesystem::path own_folder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

void prepare_heap() {
#ifdef __GLIBC__
    ::mallopt(M_TOP_PAD, 16 << 20);
#endif
}

bool matches(const std::string& pattern, const std::string& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

bool has_terminal() {
    return ::isatty(STDERR_FILENO) != 0;
}

double memory_in_use() {
    std::ifstream stream("/proc/self/statm");
    double size = 0, resident = 0;
    stream >> size >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 30);
}

FolderLock::FolderLock(const std::filesystem::path& folder, bool is_written, void (*wait)(const std::filesystem::path& folder))
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) return;
    const int operation = is_written ? LOCK_EX : LOCK_SH;
    if (::flock(descriptor_, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    wait(folder);
    while (::flock(descriptor_, operation) != 0 && errno == EINTR) continue;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace cubind::gen
