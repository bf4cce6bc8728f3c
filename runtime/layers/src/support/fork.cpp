// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/fork.hpp"

#include <cubind/detail/fork.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <pthread.h>

namespace CUBIND_NAMESPACE::layers {

namespace {

constexpr std::size_t max_locks = 16;
constexpr ForkLevel levels[] = {ForkLevel::layer, ForkLevel::chain, ForkLevel::memory, ForkLevel::leaf};

// The table of the locks. No lock guards it, because code that holds one of the locks in the table may add another one.
struct Slot {
    ForkLock lock;
    std::atomic<bool> is_ready{false};
};
constinit std::array<Slot, max_locks> slots{};
constinit std::atomic<std::size_t> used{0};

// Locks that the calling thread holds during its fork(), in the order in which it acquired them.
constinit thread_local std::array<const ForkLock*, max_locks> held{};
constinit thread_local std::size_t held_count = 0;

void prepare() {
    held_count = 0;
    for (const ForkLevel level : levels) {
        for (const Slot& slot : slots) {
            if (!slot.is_ready.load(std::memory_order_acquire) || slot.lock.level != level) continue;
            slot.lock.lock(slot.lock.object);
            held[held_count++] = &slot.lock;
        }
    }
}

void release() {
    while (held_count > 0) {
        const ForkLock& lock = *held[--held_count];
        lock.unlock(lock.object);
    }
}

void release_in_child() {
    for (std::size_t index = 0; index < held_count; ++index) held[index]->in_child(held[index]->object);
    release();
}

}  // namespace

void hold_during_fork(const ForkLock& lock) noexcept {
    // The loader adds its handler before the layers do. fork() runs the latest handler first, so it acquires the loader's lock
    // after all locks of the layers.
    static const int status =
        (cubind::detail::hold_entry_points_during_fork(), pthread_atfork(prepare, release, release_in_child));
    static_cast<void>(status);
    const std::size_t index = used.fetch_add(1, std::memory_order_relaxed);
    if (index >= max_locks) std::abort();  // a layer was added without a larger table
    slots[index].lock = lock;
    slots[index].is_ready.store(true, std::memory_order_release);
}

}  // namespace CUBIND_NAMESPACE::layers
