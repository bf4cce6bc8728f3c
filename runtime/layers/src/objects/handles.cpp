// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "objects/live_handles.hpp"
#include "objects/registry.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

namespace {

constexpr std::size_t max_destroyed = 1 << 16;  // destroyed handles that are remembered

}  // namespace

Handles& all_handles() {
    static Handles& handles = *new Handles;
    return handles;
}

void Handles::add(Value value, const Handle& handle) {
    const std::lock_guard lock(mutex_);
    handles_[value] = handle;
}

void Handles::add_if_new(Value value, const reflection::Function& function) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = handles_.try_emplace(value, Handle{.returned_by = &function});
    if (!is_new && entry->second.destroyed_by != nullptr) entry->second = {.returned_by = &function};
}

void Handles::mark_destroyed(Value value, Handle& handle, const reflection::Function& function) {
    handle.destroyed_by = &function;
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

void Handles::mark_all_destroyed(Value context_or_parent, const reflection::Function& function) {
    const std::lock_guard lock(mutex_);
    std::vector<Value> removal;
    for (const auto& [value, handle] : handles_) {
        const bool belongs = handle.owners.context == context_or_parent || handle.owners.parent == context_or_parent;
        if (belongs && handle.destroyed_by == nullptr) removal.push_back(value);
    }
    for (const Value value : removal) {
        const auto entry = handles_.find(value);
        if (entry != handles_.end()) mark_destroyed(value, entry->second, function);
    }
}

void Handles::restore(Value value) {
    const std::lock_guard lock(mutex_);
    const auto entry = handles_.find(value);
    if (entry != handles_.end()) entry->second.destroyed_by = nullptr;
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

void Handles::clear() {
    const std::lock_guard lock(mutex_);
    handles_.clear();
    destroyed_.clear();
    next_destroyed_ = 0;
    destructions_.fetch_add(1, std::memory_order_release);
}

}  // namespace CUBIND_NAMESPACE::layers::objects
