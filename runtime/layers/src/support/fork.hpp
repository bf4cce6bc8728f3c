// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

/// Locks across fork(). The child has only the thread that forked, so a lock that another thread held would never be released,
/// and the data that it guards would be incomplete.
namespace CUBIND_NAMESPACE::layers {

/// Order in which fork() acquires locks. Code that holds a lock acquires only locks further down.
enum class ForkLevel { layer, chain, memory, leaf };

/// A lock that fork() holds while it copies the process.
struct ForkLock {
    ForkLevel level;
    void* object;
    void (*lock)(void* object);
    void (*unlock)(void* object);
    void (*in_child)(void* object);  ///< called in the child while the lock is held
};

/// Adds a lock of an object that is never destroyed. A constructor must call it last: if the constructor threw after the call,
/// the table would refer to the lock of a destroyed object.
void hold_during_fork(const ForkLock& lock) noexcept;

/// Adds a lock with the members lock() and unlock().
template <class Lock>
void hold_during_fork(ForkLevel level, Lock& lock) noexcept {
    hold_during_fork({level, &lock, [](void* object) { static_cast<Lock*>(object)->lock(); },
                      [](void* object) { static_cast<Lock*>(object)->unlock(); }, [](void*) {}});
}

}  // namespace CUBIND_NAMESPACE::layers
