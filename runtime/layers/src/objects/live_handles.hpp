// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "objects/registry.hpp"

namespace cubind::layers::objects {

/// Cache of handles that a thread found live, with their contexts. It avoids the shared table as long as no handle is destroyed.
class LiveHandles {
public:
    /// Returns the cache of the calling thread.
    static LiveHandles& of_this_thread() noexcept {
        static constinit thread_local LiveHandles own;
        return own;
    }

    /// Returns whether a call has returned the handle and no call has destroyed it.
    bool has(Value value) noexcept {
        const unsigned long endings = all_handles().endings();
        const Slot& slot = slots_[place(value)];
        return (slot.value == value && slot.endings == endings) || look_up(value, endings);
    }

    /// Returns the context of a handle; 0 if unknown.
    Value context_of(Value value) noexcept { return has(value) ? slots_[place(value)].context : 0; }

private:
    struct Slot {
        Value value = 0;
        unsigned long endings = 0;
        Value context = 0;
    };

    static std::size_t place(Value value) noexcept { return (value >> 4 ^ value >> 12) % 64; }
    bool look_up(Value value, unsigned long endings) noexcept;

    std::array<Slot, 64> slots_{};
};

}  // namespace cubind::layers::objects
