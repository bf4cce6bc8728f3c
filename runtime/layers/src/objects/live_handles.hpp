// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "objects/registry.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

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
        const unsigned long destructions = all_handles().destructions();
        const Slot& slot = slots_[place(value)];
        return (slot.value == value && slot.destructions == destructions) || look_up(value, destructions);
    }

    /// Returns the context of a handle; 0 if unknown.
    Value context_of(Value value) noexcept { return has(value) ? slots_[place(value)].context : 0; }

private:
    struct Slot {
        Value value = 0;
        unsigned long destructions = 0;
        Value context = 0;
    };

    static std::size_t place(Value value) noexcept { return (value >> 4 ^ value >> 12) % 64; }
    bool look_up(Value value, unsigned long destructions) noexcept;

    std::array<Slot, 64> slots_{};
};

}  // namespace CUBIND_NAMESPACE::layers::objects
