// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::layers::objects {

using Value = unsigned long long;

/// Owners of an object or handle. It is destroyed when one of its owners is destroyed.
struct Owners {
    Value context = 0;  ///< context that was current at its creation; 0 if none or unknown
    Value parent = 0;   ///< handle of its parent; 0 if none
};

/// Keys of objects or handles by their owners, so that the cost of a destruction depends only on what it destroys.
template <class Key>
class OwnedKeys {
public:
    void add(const Owners& owners, const Key& key) {
        if (owners.context != 0) keys_.insert({owners.context, key});
        if (owners.parent != 0) keys_.insert({owners.parent, key});
    }
    void remove(const Owners& owners, const Key& key) {
        keys_.erase({owners.context, key});
        keys_.erase({owners.parent, key});
    }
    std::vector<Key> of(Value owner) const {
        std::vector<Key> found;
        for (auto each = keys_.lower_bound({owner, Key()}); each != keys_.end() && each->first == owner; ++each) {
            found.push_back(each->second);
        }
        return found;
    }
    void clear() { keys_.clear(); }

private:
    std::set<std::pair<Value, Key>> keys_;
};

/// An object that a program must destroy.
struct Object {
    std::string_view kind;                                    ///< name of the kind
    Value value = 0;                                          ///< handle or address
    unsigned long count = 1;                                  ///< number of references
    Owners owners;                                            ///< context and parent with which it is destroyed
    Value owning = 0;                                         ///< context that is destroyed with the object; 0 if none
    unsigned long long number = 0;                            ///< position in the order of creations
    unsigned thread = 0;                                      ///< number of the thread that created it
    std::chrono::nanoseconds since_start{};                   ///< time of creation
    const reflection::LibraryDescription* library = nullptr;  ///< library of `function`
    const reflection::Function* function = nullptr;           ///< function that created it
    std::vector<std::byte> call;                              ///< captured arguments of the call that created it
};

/// Table of live objects. Thread-safe.
class Objects {
public:
    Objects();

    /// Adds an object, or a reference if it is counted and already in the table.
    void add(Object object, bool is_counted);
    /// Removes one reference of the object, and the object with its last reference. Returns the previous object, with a count
    /// of 0 if there is none.
    Object remove(std::string_view kind, Value value);
    /// Reverts remove(), which returned `before`.
    void restore(const Object& before);
    /// Returns the context that is destroyed with the object; 0 if there is none.
    Value owning(Value value) const;
    /// Removes all objects of a context or parent.
    void remove_all_of(Value owner);

    /// Returns the number of the latest object.
    unsigned long long last_number() const noexcept { return last_number_.load(std::memory_order_relaxed); }
    /// Returns the live objects with a greater number.
    std::vector<Object> all_after(unsigned long long number) const;
    void clear();

private:
    using Key = std::pair<Value, std::string_view>;

    mutable std::mutex mutex_;
    std::map<Key, Object> objects_;
    OwnedKeys<Key> owned_;
    std::atomic<unsigned long long> last_number_{0};
};

/// State of a handle.
struct Handle {
    const reflection::Function* returned_by = nullptr;   ///< function that returned it
    const reflection::Function* destroyed_by = nullptr;  ///< function that destroyed it; null while it is live
    Owners owners = {};                                  ///< context and parent with which it is destroyed
    std::string name = {};                               ///< name by which it was looked up in its parent; empty if none
};

/// Table of the handles that calls returned. It also contains a limited number of destroyed handles. Thread-safe.
class Handles {
public:
    Handles();

    /// Adds or replaces a handle.
    void add(Value value, const Handle& handle);
    /// Adds a handle unless it is already in the table and live.
    void add_if_new(Value value, const Handle& handle);
    /// Marks a handle as destroyed by `function`.
    void mark_destroyed(Value value, const reflection::Function& function);
    /// Marks all handles of a context or parent, and all handles of these handles, as destroyed by `function`.
    void mark_all_destroyed(Value owner, const reflection::Function& function);
    /// Reverts mark_destroyed().
    void restore(Value value);
    /// Copies the state of a handle; returns false if no call has returned it.
    bool find(Value value, Handle& handle) const;
    void clear();

    /// Copies the name of a live handle, or as much of it as fits, and returns its length; 0 if it has none.
    std::size_t copy_name(Value value, char* room, std::size_t size) const;

    /// Returns the number of handles in the table, live and destroyed.
    std::size_t size() const;

    static constexpr std::size_t max_destroyed = 1 << 14;  ///< limit of destroyed handles that the table contains

    /// Returns the number of destructions. As long as it does not change, live handles remain live.
    unsigned long destructions() const noexcept { return destructions_.load(std::memory_order_acquire); }
    /// Returns the number of changes of names. As long as it does not change, names remain valid.
    unsigned long name_changes() const noexcept { return name_changes_.load(std::memory_order_acquire); }

private:
    void put(Value value, Handle& place, const Handle& handle);
    void mark_destroyed(Value value, Handle& handle, const reflection::Function& function);

    mutable std::mutex mutex_;
    std::map<Value, Handle> handles_;
    OwnedKeys<Value> owned_;        ///< live handles
    std::vector<Value> destroyed_;  ///< ring buffer; the oldest is removed if there are too many
    std::size_t next_destroyed_ = 0;
    std::atomic<unsigned long> destructions_{0};
    std::atomic<unsigned long> name_changes_{0};
};

/// Returns the objects of the process. The table is never destroyed: calls may be made until the process ends.
Objects& all_objects();
/// Returns the handles of the process. The table is never destroyed: calls may be made until the process ends.
Handles& all_handles();

}  // namespace CUBIND_NAMESPACE::layers::objects
