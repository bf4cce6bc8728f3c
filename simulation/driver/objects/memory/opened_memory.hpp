// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace CUBIND_NAMESPACE::sim {

/// The memory that contexts have opened by IPC handles, and how many times each has opened it. Thread-safe.
class OpenedMemory {
public:
    void open(driver::CUcontext context, std::uintptr_t base) {
        const std::lock_guard lock(mutex_);
        ++times_[{context, base}];
    }
    /// Returns false if the context has not opened the memory.
    bool close(driver::CUcontext context, std::uintptr_t base) {
        const std::lock_guard lock(mutex_);
        const auto found = times_.find({context, base});
        if (found == times_.end()) return false;
        if (--found->second == 0) times_.erase(found);
        return true;
    }
    bool is_open(driver::CUcontext context, std::uintptr_t base) const {
        const std::lock_guard lock(mutex_);
        return times_.contains({context, base});
    }

private:
    mutable std::mutex mutex_;
    std::map<std::pair<driver::CUcontext, std::uintptr_t>, unsigned long> times_;
};

}  // namespace CUBIND_NAMESPACE::sim
