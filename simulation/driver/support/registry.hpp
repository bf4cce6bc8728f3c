// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// Returns a number that no handle of any kind has had before, so that a stale handle is never mistaken for a new one.
inline std::uintptr_t new_handle_value() noexcept {
    static constinit std::atomic<std::uintptr_t> next{0x100000};
    return next.fetch_add(16, std::memory_order_relaxed);
}

/// The objects behind the handles of one kind. Handles are looked up and never dereferenced, so any value is safe to
/// pass. Thread-safe.
template <class Handle, class Object>
class Registry {
public:
    using Pointer = std::shared_ptr<Object>;

    /// Registers an object under its handle.
    void add(Handle handle, Pointer object) {
        const std::lock_guard lock(mutex_);
        objects_.emplace(handle, std::move(object));
    }

    /// Returns the object of a handle, or null if the handle is invalid or was removed.
    Pointer find(Handle handle) const {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        return found != objects_.end() ? found->second : nullptr;
    }

    /// Removes and returns the object of a handle, or null. If several threads remove the same handle, exactly one gets
    /// the object.
    Pointer remove(Handle handle) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return nullptr;
        Pointer object = std::move(found->second);
        objects_.erase(found);
        return object;
    }

    /// Removes and returns all objects for which `selects(object)` is true.
    template <class Selects>
    std::vector<Pointer> remove_if(Selects selects) {
        const std::lock_guard lock(mutex_);
        std::vector<Pointer> removed;
        for (auto entry = objects_.begin(); entry != objects_.end();) {
            if (selects(*entry->second)) {
                removed.push_back(std::move(entry->second));
                entry = objects_.erase(entry);
            } else {
                ++entry;
            }
        }
        return removed;
    }

    /// Returns any object for which `selects(object)` is true, or null if there is none.
    template <class Selects>
    Pointer find_if(Selects selects) const {
        const std::lock_guard lock(mutex_);
        for (const auto& [handle, object] : objects_) {
            if (selects(*object)) return object;
        }
        return nullptr;
    }

    /// Returns all objects, in no particular order.
    std::vector<Pointer> all() const {
        const std::lock_guard lock(mutex_);
        std::vector<Pointer> list;
        for (const auto& [handle, object] : objects_) list.push_back(object);
        return list;
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<Handle, Pointer> objects_;
};

/// Returns new_handle_value() as a handle, which is a pointer or a number.
template <class Handle>
Handle new_handle() noexcept {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<Handle>(new_handle_value());
    } else {
        return static_cast<Handle>(new_handle_value());
    }
}

/// Creates an object with a new handle as its first argument, and registers it.
template <class Object, class Handle, class... Arguments>
std::shared_ptr<Object> add_new(Registry<Handle, Object>& registry, Arguments&&... arguments) {
    const Handle handle = new_handle<Handle>();
    auto object = std::make_shared<Object>(handle, static_cast<Arguments&&>(arguments)...);
    registry.add(handle, object);
    return object;
}

}  // namespace CUBIND_NAMESPACE::sim
