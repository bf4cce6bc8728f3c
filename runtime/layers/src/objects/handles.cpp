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
    hold_during_fork(ForkLevel::leaf, mutex_);
}

void Handles::put(Value value, Handle& place, const Handle& handle) {
    if (place.destroyed_by == nullptr) owned_.remove(place.owners, value);
    if (place.name != handle.name) name_changes_.fetch_add(1, std::memory_order_release);
    place = handle;
    owned_.add(handle.owners, value);
}

void Handles::add(Value value, const Handle& handle) {
    const std::lock_guard lock(mutex_);
    put(value, handles_[value], handle);
}

void Handles::add_if_new(Value value, const Handle& handle) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = handles_.try_emplace(value);
    if (is_new || entry->second.destroyed_by != nullptr) put(value, entry->second, handle);
}

void Handles::mark_destroyed(Value value, Handle& handle, const reflection::Function& function) {
    handle.destroyed_by = &function;
    if (!handle.name.empty()) name_changes_.fetch_add(1, std::memory_order_release);
    owned_.remove(handle.owners, value);
    destructions_.fetch_add(1, std::memory_order_release);
    if (destroyed_.size() < max_destroyed) {
        destroyed_.push_back(value);
        return;
    }
    const auto oldest = handles_.find(std::exchange(destroyed_[next_destroyed_], value));
    if (oldest != handles_.end() && oldest->second.destroyed_by != nullptr && oldest->first != value) handles_.erase(oldest);
    next_destroyed_ = (next_destroyed_ + 1) % max_destroyed;
}

void Handles::mark_destroyed(Value value, const reflection::Function& function) {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry != handles_.end() && entry->second.destroyed_by == nullptr) mark_destroyed(value, entry->second, function);
}

void Handles::mark_all_destroyed(Value owner, const reflection::Function& function) {
    const std::lock_guard lock(mutex_);
    std::vector<Value> owners = {owner};
    while (!owners.empty()) {
        const std::vector<Value> owned = owned_.of(owners.back());
        owners.pop_back();
        for (const Value value : owned) {
            const auto entry = handles_.find(value);
            if (entry == handles_.end() || entry->second.destroyed_by != nullptr) continue;
            mark_destroyed(value, entry->second, function);
            owners.push_back(value);
        }
    }
}

void Handles::restore(Value value) {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry == handles_.end()) return;
    entry->second.destroyed_by = nullptr;
    if (!entry->second.name.empty()) name_changes_.fetch_add(1, std::memory_order_release);
    owned_.add(entry->second.owners, value);
}

bool Handles::find(Value value, Handle& handle) const {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry == handles_.end()) return false;
    handle = entry->second;
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

std::size_t Handles::copy_name(Value value, char* room, std::size_t size) const {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    return entry != handles_.end() && entry->second.destroyed_by == nullptr ? entry->second.name.copy(room, size) : 0;
}

std::size_t Handles::size() const {
    const std::lock_guard lock(mutex_);
    return handles_.size();
}

void Handles::clear() {
    const std::lock_guard lock(mutex_);
    handles_.clear();
    owned_.clear();
    destroyed_.clear();
    next_destroyed_ = 0;
    name_changes_.fetch_add(1, std::memory_order_release);
    destructions_.fetch_add(1, std::memory_order_release);
}

}  // namespace CUBIND_NAMESPACE::layers::objects
