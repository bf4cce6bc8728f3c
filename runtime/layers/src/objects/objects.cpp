// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/registry.hpp"
#include "support/fork.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

Objects& all_objects() {
    static Objects& objects = *new Objects;
    return objects;
}

Objects::Objects() {
    hold_during_fork(ForkLevel::layer_leaf, mutex_);
}

void Objects::add(Object object, bool is_counted) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = objects_.try_emplace({object.value, object.kind});
    if (!is_new && is_counted) {
        ++entry->second.count;
        return;
    }
    // If the object is already in the table, its destruction was not observed or the call returned an existing object.
    object.number = is_new ? last_number_.fetch_add(1, std::memory_order_relaxed) + 1 : entry->second.number;
    owned_.remove(entry->second.owners, entry->first);
    entry->second = std::move(object);
    try {
        owned_.add(entry->second.owners, entry->first);
    } catch (...) {
        // The object would stay in the table when its owner is destroyed.
        owned_.remove(entry->second.owners, entry->first);
        objects_.erase(entry);
        throw;
    }
}

Objects::Removed Objects::remove(std::string_view kind, Value value) noexcept {
    const std::lock_guard lock(mutex_);
    Removed removed;
    removed.key = {value, kind};
    const auto entry = objects_.find(removed.key);
    if (entry == objects_.end()) return removed;
    removed.count = entry->second.count--;
    if (removed.count == 1) {
        removed.of_owner = owned_.extract(entry->second.owners, entry->first);
        removed.object = objects_.extract(entry);
    }
    return removed;
}

void Objects::restore(Removed&& removed) noexcept {
    const std::lock_guard lock(mutex_);
    if (!removed.object.empty()) {
        removed.object.mapped().count = 1;
        if (objects_.insert(std::move(removed.object)).inserted) return owned_.restore(std::move(removed.of_owner));
    }
    if (const auto entry = objects_.find(removed.key); entry != objects_.end()) ++entry->second.count;
}

Value Objects::owning(Value value) const noexcept {
    const std::lock_guard lock(mutex_);
    for (auto entry = objects_.lower_bound({value, {}}); entry != objects_.end() && entry->first.first == value; ++entry) {
        if (entry->second.owning != 0) return entry->second.owning;
    }
    return 0;
}

void Objects::remove_all_of(Value owner) noexcept {
    const std::lock_guard lock(mutex_);
    while (const std::optional<Key> key = owned_.take_first(owner)) {
        const auto entry = objects_.find(*key);
        owned_.remove(entry->second.owners, *key);
        objects_.erase(entry);
    }
}

void Objects::note_capture_into_graph(Value stream) {
    const std::lock_guard lock(mutex_);
    captures_into_graphs_.insert(stream);
}

bool Objects::take_capture_into_graph(Value stream) noexcept {
    const std::lock_guard lock(mutex_);
    return captures_into_graphs_.erase(stream) != 0;
}

std::vector<Object> Objects::all_after(unsigned long long number) const {
    const std::lock_guard lock(mutex_);
    std::vector<Object> found;
    for (const auto& [key, object] : objects_) {
        if (object.number > number) found.push_back(object);
    }
    return found;
}

void Objects::clear() noexcept {
    const std::lock_guard lock(mutex_);
    objects_.clear();
    owned_.clear();
    captures_into_graphs_.clear();
}

}  // namespace CUBIND_NAMESPACE::layers::objects
