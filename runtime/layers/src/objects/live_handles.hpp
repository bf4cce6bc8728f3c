// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "objects/registry.hpp"

namespace cubind::layers::objects {

/// Handles that a thread has found alive, with their contexts: asking again costs nothing as long as no handle ends.
class LiveHandles {
public:
    static LiveHandles& of_this_thread() noexcept {
        static constinit thread_local LiveHandles own;
        return own;
    }

    /// Whether some call has given the handle and none has ended it.
    bool has(Value value) noexcept {
        const unsigned long endings = all_handles().endings();
        const Slot& slot = slots_[place(value)];
        return (slot.value == value && slot.endings == endings) || look_up(value, endings);
    }

    /// The context of a handle, 0 where that is not known.
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
