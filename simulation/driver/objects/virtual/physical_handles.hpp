// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "objects/virtual/physical_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The handles of physical memory, each with a count of uses. Thread-safe.
class PhysicalHandles {
public:
    using Handle = driver::CUmemGenericAllocationHandle;

    /// Adds a use of the handle. If all other uses were released, the handle becomes valid again.
    Handle retain(const std::shared_ptr<PhysicalMemory>& memory) {
        const std::lock_guard lock(mutex_);
        Entry& entry = entries_[memory->handle];
        entry.memory = memory;
        ++entry.uses;
        return memory->handle;
    }
    /// Removes a use of the handle. Returns false if the handle is invalid.
    bool release(Handle handle) {
        std::shared_ptr<PhysicalMemory> last;  // destroyed after the lock is released
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(handle);
        if (found == entries_.end()) return false;
        if (--found->second.uses == 0) {
            last = std::move(found->second.memory);
            entries_.erase(found);
        }
        return true;
    }
    /// Returns the memory of a file, or null if no handle refers to it.
    std::shared_ptr<PhysicalMemory> find(const SharedFile& file) const {
        const std::lock_guard lock(mutex_);
        for (const auto& [handle, entry] : entries_) {
            if (entry.memory->file != nullptr && entry.memory->file->is_same(file)) return entry.memory;
        }
        return nullptr;
    }
    std::shared_ptr<PhysicalMemory> find(Handle handle) const {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(handle);
        return found != entries_.end() ? found->second.memory : nullptr;
    }

private:
    struct Entry {
        std::shared_ptr<PhysicalMemory> memory;
        unsigned long uses = 0;
    };

    mutable std::mutex mutex_;
    std::map<Handle, Entry> entries_;
};

}  // namespace CUBIND_NAMESPACE::sim
