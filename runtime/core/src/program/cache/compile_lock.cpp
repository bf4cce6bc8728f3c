// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/compile_lock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

namespace CUBIND_NAMESPACE::detail {
namespace {

using Clock = std::chrono::steady_clock;

enum class Attempt { acquired, held_by_other, impossible };

Attempt try_lock(int file) noexcept {
    while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return Attempt::held_by_other;
        if (errno != EINTR) return Attempt::impossible;
    }
    return Attempt::acquired;
}

/// Tries repeatedly, in growing intervals, because flock has no time limit.
bool lock_until(int file, Clock::time_point deadline) {
    constexpr std::chrono::milliseconds max_pause(20);
    std::chrono::milliseconds pause(1);
    for (;;) {
        const Attempt attempt = try_lock(file);
        if (attempt != Attempt::held_by_other) return attempt == Attempt::acquired;
        const Clock::time_point now = Clock::now();
        if (now >= deadline) return false;
        std::this_thread::sleep_until(std::min(now + pause, deadline));
        pause = std::min(2 * pause, max_pause);
    }
}

/// Returns whether the locked file still has this name. The previous holder of the lock removes the file.
bool is_linked(int file, int folder, const std::string& name) noexcept {
    struct stat locked, found;
    return ::fstat(file, &locked) == 0 && ::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           locked.st_dev == found.st_dev && locked.st_ino == found.st_ino;
}

/// Returns whether the last change of the file is so old that its process must have ended.
bool is_old(int file) noexcept {
    constexpr std::time_t max_age_seconds = 3600;
    struct stat status;
    return ::fstat(file, &status) == 0 && std::abs(std::time(nullptr) - status.st_mtim.tv_sec) > max_age_seconds;
}

Descriptor open_lock(int folder, const std::string& name, int flags) noexcept {
    return Descriptor(::openat(folder, name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600));
}

}  // namespace

CompileLock::CompileLock(Descriptor folder, Descriptor file, std::string name)
    : folder_(std::move(folder)), file_(std::move(file)), name_(std::move(name)) {}

void CompileLock::continue_in_child(void* lock) noexcept {
    const Descriptor closed = std::move(static_cast<CompileLock*>(lock)->file_);
}

CompileLock::~CompileLock() {
    if (!file_) return;
    ::unlinkat(folder_.number(), name_.c_str(), 0);
    // Closing the file is not enough: a child process that was created by other means than fork() may have it open, too.
    ::flock(file_.number(), LOCK_UN);
}

std::shared_ptr<CompileLock> CompileLock::acquire(Descriptor folder, const std::string& name, Clock::time_point deadline) {
    for (;;) {
        Descriptor file = open_lock(folder.number(), name, O_CREAT);
        if (!file || !lock_until(file.number(), deadline)) return nullptr;
        if (is_linked(file.number(), folder.number(), name)) {
            return std::make_shared<CompileLock>(std::move(folder), std::move(file), name);
        }
        if (Clock::now() >= deadline) return nullptr;
    }
}

bool lock_new_file(int file, int folder, const std::string& name) noexcept {
    const Attempt attempt = try_lock(file);
    return attempt == Attempt::impossible || (attempt == Attempt::acquired && is_linked(file, folder, name));
}

bool remove_if_unlocked(int folder, const std::string& name) noexcept {
    const Descriptor file = open_lock(folder, name, 0);
    if (!file) return false;
    const Attempt attempt = try_lock(file.number());
    const bool is_free = attempt == Attempt::acquired || (attempt == Attempt::impossible && is_old(file.number()));
    return is_free && is_linked(file.number(), folder, name) && ::unlinkat(folder, name.c_str(), 0) == 0;
}

}  // namespace CUBIND_NAMESPACE::detail
