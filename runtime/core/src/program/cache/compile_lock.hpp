// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "platform/descriptor.hpp"
#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The exclusive right of this process to compile for a key: a lock on a file of the folder. The lock ends with the
/// process, even if that process is killed.
class CompileLock {
public:
    /// Waits until the deadline at most. Returns nullptr if another process holds the lock until then, or if the folder
    /// does not support locks.
    [[nodiscard]] static std::shared_ptr<CompileLock> acquire(Descriptor folder, const std::string& name,
                                                              std::chrono::steady_clock::time_point deadline);

    CompileLock(Descriptor folder, Descriptor file, std::string name);
    CompileLock(const CompileLock&) = delete;
    CompileLock& operator=(const CompileLock&) = delete;
    ~CompileLock();

private:
    /// Closes the child's copy of the file, which would extend the lock beyond the end of the parent process.
    static void continue_in_child(void* lock) noexcept;

    Descriptor folder_;
    Descriptor file_;  ///< empty in a child process of the owner
    std::string name_;
    ForkHook fork_hook_{nullptr, this, continue_in_child};
};

/// Locks a file that this process has just created. Closing the file ends the lock. Returns false if another process removed
/// the file before it was locked. Returns true without a lock if the folder does not support locks.
[[nodiscard]] bool lock_new_file(int file, int folder, const std::string& name) noexcept;

/// Removes the file if no process has locked it, because then the process that created the file has ended. In a folder that
/// does not support locks, removes the file an hour after its last change. Returns whether it was removed.
bool remove_if_unlocked(int folder, const std::string& name) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
