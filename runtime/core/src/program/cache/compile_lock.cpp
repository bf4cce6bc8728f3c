// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/compile_lock.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Tries repeatedly, in growing intervals, because the system's wait for a lock has no time limit.
bool lock_until(int file, Clock::time_point deadline) {
    constexpr std::chrono::milliseconds max_pause(20);
    std::chrono::milliseconds pause(1);
    for (;;) {
        const LockAttempt attempt = try_lock_file(file);
        if (attempt != LockAttempt::held_by_other) return attempt == LockAttempt::acquired;
        const Clock::time_point now = Clock::now();
        if (now >= deadline) return false;
        std::this_thread::sleep_until(std::min(now + pause, deadline));
        pause = std::min(2 * pause, max_pause);
    }
}

/// Returns whether the locked file still has this name. The previous holder of the lock removes the file.
bool is_linked(int file, int folder, const std::string& name) noexcept {
    FileStatus locked, found;
    return status_of_file(file, locked) == 0 && status_of_entry(folder, name.c_str(), found) == 0 && locked.is_same_file(found);
}

/// Returns whether the last change of the file is so old that its process must have ended.
bool is_old(int file) noexcept {
    constexpr std::time_t max_age_seconds = 3600;
    FileStatus status;
    return status_of_file(file, status) == 0 && std::abs(std::time(nullptr) - status.modified.seconds) > max_age_seconds;
}

}  // namespace

CompileLock::CompileLock(Descriptor folder, Descriptor file, std::string name)
    : folder_(std::move(folder)), file_(std::move(file)), name_(std::move(name)) {}

void CompileLock::continue_in_child(void* lock) noexcept {
    const Descriptor closed = std::move(static_cast<CompileLock*>(lock)->file_);
}

CompileLock::~CompileLock() {
    if (!file_) return;
    remove_entry(folder_.number(), name_.c_str());
    // Closing the file is not enough: a child process that was created by other means than fork() may have it open, too.
    unlock_file(file_.number());
}

std::shared_ptr<CompileLock> CompileLock::acquire(Descriptor folder, const std::string& name, Clock::time_point deadline) {
    for (;;) {
        Descriptor file = open_entry_to_write(folder.number(), name.c_str(), Creation::if_absent);
        if (!file || !lock_until(file.number(), deadline)) return nullptr;
        if (is_linked(file.number(), folder.number(), name)) {
            return std::make_shared<CompileLock>(std::move(folder), std::move(file), name);
        }
        if (Clock::now() >= deadline) return nullptr;
    }
}

bool lock_new_file(int file, int folder, const std::string& name) noexcept {
    const LockAttempt attempt = try_lock_file(file);
    return attempt == LockAttempt::impossible || (attempt == LockAttempt::acquired && is_linked(file, folder, name));
}

bool remove_if_unlocked(int folder, const std::string& name) noexcept {
    const Descriptor file = open_entry_to_write(folder, name.c_str(), Creation::never);
    if (!file) return false;
    const LockAttempt attempt = try_lock_file(file.number());
    const bool is_free = attempt == LockAttempt::acquired || (attempt == LockAttempt::impossible && is_old(file.number()));
    return is_free && is_linked(file.number(), folder, name) && remove_entry(folder, name.c_str()) == 0;
}

}  // namespace CUBIND_NAMESPACE::detail
