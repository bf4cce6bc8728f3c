// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "objects/live_handles.hpp"
#include "objects/registry.hpp"
#include "support/fork.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

Handles& all_handles() {
    static Handles& handles = *new Handles;
    return handles;
}

Handles::Handles() {
    destroyed_.reserve(max_destroyed);
    hold_during_fork(ForkLevel::layer_leaf, mutex_);
}

void Handles::put(Value value, Entry& entry, const Handle& handle, std::string_view name) {
    if (entry.handle.destroyed_by == nullptr) owned_.remove(entry.handle.owners, value);
    if (entry.name != name) name_changes_.fetch_add(1, std::memory_order_release);
    // The assignments that cannot throw come first. If a later statement throws, a destroyed handle that `entry` held before is
    // already replaced, so the new handle is not reported as destroyed.
    entry.handle = handle;
    entry.name.clear();
    entry.name = name;
    owned_.add(handle.owners, value);
}

void Handles::add(Value value, const Handle& handle, std::string_view name) {
    const std::lock_guard lock(mutex_);
    put(value, handles_[value], handle, name);
}

void Handles::add_if_new(Value value, const Handle& handle) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = handles_.try_emplace(value);
    if (is_new || entry->second.handle.destroyed_by != nullptr) put(value, entry->second, handle, {});
}

void Handles::mark_destroyed(Value value, Entry& entry, const reflection::Function& function) noexcept {
    entry.handle.destroyed_by = &function;
    if (!entry.name.empty()) name_changes_.fetch_add(1, std::memory_order_release);
    owned_.remove(entry.handle.owners, value);
    destructions_.fetch_add(1, std::memory_order_release);
    if (destroyed_.size() < max_destroyed) {
        destroyed_.push_back(value);  // within its capacity
        return;
    }
    const auto oldest = handles_.find(std::exchange(destroyed_[next_destroyed_], value));
    const bool is_destroyed = oldest != handles_.end() && oldest->second.handle.destroyed_by != nullptr;
    if (is_destroyed && oldest->first != value) handles_.erase(oldest);
    next_destroyed_ = (next_destroyed_ + 1) % max_destroyed;
}

void Handles::mark_destroyed(Value value, const reflection::Function& function) noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry != handles_.end() && entry->second.handle.destroyed_by == nullptr) mark_destroyed(value, entry->second, function);
}

void Handles::mark_all_destroyed(Value owner, const reflection::Function& function) noexcept {
    const std::lock_guard lock(mutex_);
    while (const std::optional<Value> value = owned_.take_first(owner)) {
        const auto entry = handles_.find(*value);
        if (entry == handles_.end() || entry->second.handle.destroyed_by != nullptr) continue;
        mark_destroyed(*value, entry->second, function);
        owned_.move_all(*value, owner);
    }
}

void Handles::restore(Value value) {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry == handles_.end()) return;
    entry->second.handle.destroyed_by = nullptr;
    if (!entry->second.name.empty()) name_changes_.fetch_add(1, std::memory_order_release);
    owned_.add(entry->second.handle.owners, value);
}

bool Handles::find(Value value, Handle& handle) const noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry == handles_.end()) return false;
    handle = entry->second.handle;
    return true;
}

bool LiveHandles::look_up(Value value, unsigned long destructions) noexcept {
    Handle handle;
    if (!all_handles().find(value, handle) || handle.destroyed_by != nullptr) return false;
    Value context = handle.owners.context;
    if (Handle parent; handle.owners.parent != 0 && all_handles().find(handle.owners.parent, parent)) {
        context = parent.owners.context;
    }
    slots_[place(value)] = {value, destructions, context};
    return true;
}

std::size_t Handles::copy_name(Value value, char* room, std::size_t size) const noexcept {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    const bool is_live = entry != handles_.end() && entry->second.handle.destroyed_by == nullptr;
    return is_live ? entry->second.name.copy(room, size) : 0;
}

std::size_t Handles::size() const {
    const std::lock_guard lock(mutex_);
    return handles_.size();
}

void Handles::clear() noexcept {
    const std::lock_guard lock(mutex_);
    handles_.clear();
    owned_.clear();
    destroyed_.clear();
    next_destroyed_ = 0;
    name_changes_.fetch_add(1, std::memory_order_release);
    destructions_.fetch_add(1, std::memory_order_release);
}

}  // namespace CUBIND_NAMESPACE::layers::objects
