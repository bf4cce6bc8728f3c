// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "virtual/physical_memory.hpp"

namespace cubind::sim {

/// The handles of physical memory, each as often as a program has got it. Thread-safe.
class PhysicalHandles {
public:
    using Handle = CUmemGenericAllocationHandle;

    /// One more use of the handle, which is valid again even if all others were released.
    Handle retain(const std::shared_ptr<PhysicalMemory>& memory) {
        const std::lock_guard lock(mutex_);
        Entry& entry = entries_[memory->handle];
        entry.memory = memory;
        ++entry.uses;
        return memory->handle;
    }
    /// False if it is no handle.
    bool release(Handle handle) {
        std::shared_ptr<PhysicalMemory> last;  // ends after the lock does
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(handle);
        if (found == entries_.end()) return false;
        if (--found->second.uses == 0) {
            last = std::move(found->second.memory);
            entries_.erase(found);
        }
        return true;
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

}  // namespace cubind::sim
