// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <memory>

namespace CUBIND_NAMESPACE::detail {

/// Keeps an object until the process ends, because the driver may still use it. `Object` has a member `Object* next_kept`, by
/// which a search for leaks finds the object.
template <class Object>
void keep_until_exit(std::unique_ptr<Object> object) noexcept {
    static constinit std::atomic<Object*> all_kept{nullptr};
    Object* const added = object.release();
    added->next_kept = all_kept.load();
    while (!all_kept.compare_exchange_weak(added->next_kept, added)) {
    }
}

}  // namespace CUBIND_NAMESPACE::detail
