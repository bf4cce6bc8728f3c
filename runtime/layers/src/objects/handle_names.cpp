// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/handle_names.hpp"

#include <array>

#include "objects/effect_summary.hpp"
#include "objects/registry.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

namespace {

// A name that the thread has read. As long as no name changes, it avoids an access to the shared table.
struct Slot {
    Value value = 0;
    unsigned long changes = 0;
    std::size_t length = 0;
    char name[max_name] = {};
};

std::string_view handle_name(unsigned long long value) noexcept {
    static constinit thread_local std::array<Slot, 8> slots{};
    Slot& slot = slots[(value >> 4 ^ value >> 12) % slots.size()];
    const unsigned long changes = all_handles().name_changes();
    if (slot.value != value || slot.changes != changes) {
        slot.value = value;
        slot.changes = changes;
        slot.length = all_handles().copy_name(value, slot.name, sizeof slot.name);
    }
    return {slot.name, slot.length};
}

}  // namespace

HandleName handle_name_for(const Call& call) noexcept {
    return effect_summary_of(call).takes_named ? handle_name : nullptr;
}

}  // namespace CUBIND_NAMESPACE::layers::objects
