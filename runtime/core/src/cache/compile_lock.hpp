// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "cache/descriptor.hpp"

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
    Descriptor folder_;
    Descriptor file_;
    std::string name_;
};

/// Removes the file of a lock that no process holds.
void remove_free_lock(int folder, const std::string& name) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
