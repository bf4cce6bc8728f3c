// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include "platform/fork_hook.hpp"

/// Locks across fork(). The child has only the thread that forked, so a lock that another thread held would never be released,
/// and the data that it guards would be incomplete.
namespace CUBIND_NAMESPACE::layers {

using detail::ForkLevel;

/// Adds a lock of an object that is never destroyed. A constructor must call it last: if the constructor threw after the call,
/// fork() would use the lock of a destroyed object.
void hold_during_fork(ForkLevel level, void* object, const detail::ForkHook::Actions& actions) noexcept;

/// Adds a lock with the members lock() and unlock().
template <class Lock>
void hold_during_fork(ForkLevel level, Lock& lock) noexcept {
    hold_during_fork(level, &lock,
                     {.hold = [](void* object) noexcept { static_cast<Lock*>(object)->lock(); },
                      .release = [](void* object) noexcept { static_cast<Lock*>(object)->unlock(); }});
}

}  // namespace CUBIND_NAMESPACE::layers
