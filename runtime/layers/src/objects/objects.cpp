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
    hold_during_fork(ForkLevel::leaf, mutex_);
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
    owned_.add(object.owners, entry->first);
    entry->second = std::move(object);
}

Object Objects::remove(std::string_view kind, Value value) {
    const std::lock_guard lock(mutex_);
    const auto entry = objects_.find({value, kind});
    if (entry == objects_.end()) {
        Object none;
        none.count = 0;
        return none;
    }
    Object before = entry->second;
    if (--entry->second.count == 0) {
        owned_.remove(before.owners, entry->first);
        objects_.erase(entry);
    }
    return before;
}

void Objects::restore(const Object& before) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = objects_.try_emplace({before.value, before.kind}, before);
    if (is_new) {
        entry->second.count = 1;
        owned_.add(before.owners, entry->first);
    } else {
        ++entry->second.count;
    }
}

Value Objects::owning(Value value) const {
    const std::lock_guard lock(mutex_);
    for (auto entry = objects_.lower_bound({value, {}}); entry != objects_.end() && entry->first.first == value; ++entry) {
        if (entry->second.owning != 0) return entry->second.owning;
    }
    return 0;
}

void Objects::remove_all_of(Value owner) {
    const std::lock_guard lock(mutex_);
    for (const Key& key : owned_.of(owner)) {
        const auto entry = objects_.find(key);
        owned_.remove(entry->second.owners, key);
        objects_.erase(entry);
    }
}

std::vector<Object> Objects::all_after(unsigned long long number) const {
    const std::lock_guard lock(mutex_);
    std::vector<Object> found;
    for (const auto& [key, object] : objects_) {
        if (object.number > number) found.push_back(object);
    }
    return found;
}

void Objects::clear() {
    const std::lock_guard lock(mutex_);
    objects_.clear();
    owned_.clear();
}

}  // namespace CUBIND_NAMESPACE::layers::objects
