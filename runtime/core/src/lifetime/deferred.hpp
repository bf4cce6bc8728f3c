// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>

namespace CUBIND_NAMESPACE::detail {

/// An object that is destroyed later, because its owner releases it where CUDA must not be called, such as in a callback of the
/// driver, or while work still uses it. Its destructor may call CUDA.
///
/// No thread waits for such objects: a thread would continue in unmapped code after a plugin that contains cubind is
/// unloaded, and would run beside the destructors of global objects. Instead, functions that wait for work, and functions
/// that add deferred objects, destroy the objects that are ready. Objects that remain when the process ends or the code is
/// unloaded are not destroyed.
class Deferred {
public:
    Deferred() = default;
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;
    virtual ~Deferred() = default;

    /// Returns whether the object can be destroyed now; called repeatedly until it returns true.
    virtual bool is_ready() noexcept { return true; }

private:
    friend class DeferredList;
    Deferred* next_ = nullptr;
};

/// A list of objects that any thread can extend without a lock. Has no destructor.
class CUBIND_EXPORT DeferredList {
public:
    bool empty() const noexcept { return first_.load(std::memory_order_relaxed) == nullptr; }
    void add(Deferred* object) noexcept;
    /// Moves the objects that are ready to `ready`, in the order in which they were added.
    void take_ready(Deferred*& ready) noexcept;
    /// Destroys the objects of a list of take_ready().
    static void destroy(Deferred* ready) noexcept;

private:
    std::atomic<Deferred*> first_{nullptr};
};

CUBIND_EXPORT extern DeferredList deferred_objects;

/// Takes ownership of the object. Neither allocates nor calls CUDA nor fails, so that callbacks of the driver may call it.
inline void destroy_later(Deferred* object) noexcept {
    deferred_objects.add(object);
}

/// Destroys the deferred objects that are ready, without the fast path of destroy_ready_objects(), which callers use instead.
void destroy_deferred_objects() noexcept;

/// Destroys the deferred objects that are ready. Must be called only after a call of the driver succeeded, because in a
/// callback of the driver every call fails. Costs one load if there are no such objects.
inline void destroy_ready_objects() noexcept {
    if (!deferred_objects.empty()) [[unlikely]]
        destroy_deferred_objects();
}

/// Takes ownership of the object and never destroys it.
void retain_until_exit(Deferred* object) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
