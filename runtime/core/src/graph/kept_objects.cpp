// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/kept_objects.hpp"

#include <utility>

namespace cubind::detail {

void KeptObjects::add(std::shared_ptr<const void> what) {
    const void* const address = what.get();
    if (address == nullptr) return;
    const std::lock_guard lock(mutex_);
    objects_.try_emplace(address, std::move(what));
}

bool KeptObjects::empty() const {
    const std::lock_guard lock(mutex_);
    return objects_.empty();
}

}  // namespace cubind::detail
