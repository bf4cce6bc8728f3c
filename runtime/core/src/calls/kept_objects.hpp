// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <memory>
#include <utility>

#include "calls/driver.hpp"

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

/// Ends a registration with the driver, if there is one: `registration->end()`. If the driver does not end it, keeps the object
/// until the process ends, and throws Error.
template <class Registration>
void end_or_keep(std::unique_ptr<Registration> registration) {
    if (registration == nullptr) return;
    const auto result = registration->end();
    if (result.ok()) return;
    keep_until_exit(std::move(registration));
    check_latest(result);
}

/// The same for destructors: instead of throwing, reports that it could not `action`, such as "unregister a callback".
template <class Registration>
void end_or_keep_quietly(std::unique_ptr<Registration> registration, const char* action) noexcept {
    if (registration == nullptr) return;
    const auto result = registration->end();
    if (result.ok()) return;
    report_unless_released(result, action, registration->handle);
    keep_until_exit(std::move(registration));
}

}  // namespace CUBIND_NAMESPACE::detail
