// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lifetime/deferred.hpp"

#include <mutex>
#include <utility>

#include "lifetime/process_state.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {

constinit DeferredList deferred_objects;

namespace {

// Only one thread at a time checks whether objects are ready. Another thread that has waited for work waits for the end of this
// check.
struct ReadyLock {
    std::mutex mutex;
};

}  // namespace

void DeferredList::add(Deferred* object) noexcept {
    object->next_ = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(object->next_, object, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

void DeferredList::take_ready(Deferred*& ready) noexcept {
    Deferred* all = first_.exchange(nullptr, std::memory_order_acquire);  // the newest is the first
    while (all != nullptr) {
        Deferred* const object = std::exchange(all, all->next_);
        if (object->is_ready()) {
            object->next_ = std::exchange(ready, object);
        } else {
            add(object);
        }
    }
}

void DeferredList::destroy(Deferred* ready) noexcept {
    while (ready != nullptr) delete std::exchange(ready, ready->next_);
}

void destroy_deferred_objects() noexcept {
    const RelaxedCaptureMode mode;
    for (;;) {  // destructors may defer further objects
        Deferred* ready = nullptr;
        {
            const std::lock_guard lock(ProcessState<ReadyLock>::get().mutex);
            deferred_objects.take_ready(ready);
        }
        if (ready == nullptr) return;
        DeferredList::destroy(ready);
    }
}

void retain_until_exit(Deferred* object) noexcept {
    static constinit DeferredList retained;  // a list, so that leak checkers find the objects reachable
    retained.add(object);
}

}  // namespace CUBIND_NAMESPACE::detail
