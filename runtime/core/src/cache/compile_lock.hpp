// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/descriptor.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace cubind::detail {

/// The right to compile for a key, against all processes: a lock on a file of the folder. It ends with the
/// process, however that ends.
class CompileLock {
public:
    /// Waits at most until the deadline; null if somebody else has the lock until then, or if there can be none in this folder.
    static std::shared_ptr<CompileLock> acquire(Descriptor folder, const std::string& name,
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

/// Removes the file of a lock that nobody has.
void remove_free_lock(int folder, const std::string& name) noexcept;

}  // namespace cubind::detail
