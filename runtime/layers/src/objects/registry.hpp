// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
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
    void remove(const Owners& owners, const Key& key) noexcept {
        keys_.erase({owners.context, key});
        keys_.erase({owners.parent, key});
    }

    /// Entries that were removed and can be added again without an allocation.
    using Removed = std::array<typename std::set<std::pair<Value, Key>>::node_type, 2>;
    Removed extract(const Owners& owners, const Key& key) noexcept {
        return {keys_.extract({owners.context, key}), keys_.extract({owners.parent, key})};
    }
    void restore(Removed&& removed) noexcept {
        for (auto& each : removed) keys_.insert(std::move(each));
    }

    /// Removes a key of the owner and returns it; nothing if the owner has none.
    std::optional<Key> take_first(Value owner) noexcept {
        const auto first = keys_.lower_bound({owner, Key()});
        if (first == keys_.end() || first->first != owner) return std::nullopt;
        return keys_.extract(first).value().second;
    }
    /// Makes `to` the owner of the keys of `from`.
    void move_all(Value from, Value to) noexcept {
        if (from == to) return;
        for (auto each = keys_.lower_bound({from, Key()}); each != keys_.end() && each->first == from;) {
            auto node = keys_.extract(each++);
            node.value().first = to;
            keys_.insert(std::move(node));
        }
    }
    void clear() noexcept { keys_.clear(); }

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

/// Table of live objects. Thread-safe. Functions that are noexcept allocate nothing, so that an object whose end the table
/// observes is never reported as a leak, even if memory is exhausted.
class Objects {
    using Key = std::pair<Value, std::string_view>;
    using Table = std::map<Key, Object>;

public:
    Objects();

    /// Adds an object, or a reference if it is counted and already in the table. If it throws, the table does not have the
    /// object.
    void add(Object object, bool is_counted);

    /// Result of remove().
    struct Removed {
        Key key;                           ///< identifies the object
        unsigned long count = 0;           ///< number of references before; 0 if there is no such object
        Table::node_type object;           ///< the object if the last reference was removed
        OwnedKeys<Key>::Removed of_owner;  ///< its places among the objects of its owners
    };
    /// Removes one reference of the object, and the object with its last reference.
    Removed remove(std::string_view kind, Value value) noexcept;
    /// Reverts remove().
    void restore(Removed&& removed) noexcept;
    /// Returns the context that is destroyed with the object; 0 if there is none.
    Value owning(Value value) const noexcept;
    /// Removes all objects of a context or parent.
    void remove_all_of(Value owner) noexcept;

    /// Notes that a stream captures into a graph that exists, so that the end of the capture creates no graph.
    void note_capture_into_graph(Value stream);
    /// Forgets the note of a stream, and returns whether there was one.
    bool take_capture_into_graph(Value stream) noexcept;

    /// Returns the number of the latest object.
    unsigned long long last_number() const noexcept { return last_number_.load(std::memory_order_relaxed); }
    /// Returns the live objects with a greater number.
    std::vector<Object> all_after(unsigned long long number) const;
    void clear() noexcept;

private:
    mutable std::mutex mutex_;
    Table objects_;
    OwnedKeys<Key> owned_;
    std::set<Value> captures_into_graphs_;  ///< streams
    std::atomic<unsigned long long> last_number_{0};
};

/// State of a handle.
struct Handle {
    const reflection::Function* returned_by = nullptr;   ///< function that returned it
    const reflection::Function* destroyed_by = nullptr;  ///< function that destroyed it; null while it is live
    Owners owners = {};                                  ///< context and parent with which it is destroyed
};

/// Table of the handles that calls returned. It also contains a limited number of destroyed handles. Thread-safe. Functions that
/// are noexcept allocate nothing.
class Handles {
public:
    Handles();

    /// Adds or replaces a handle. `name` is the name by which it was looked up in its parent; empty if there is none. If this
    /// function throws, the table either does not have the handle or has it as live, possibly without its name and owners.
    void add(Value value, const Handle& handle, std::string_view name);
    /// Adds a handle unless it is already in the table and live. Throws like add().
    void add_if_new(Value value, const Handle& handle);
    /// Marks a handle as destroyed by `function`.
    void mark_destroyed(Value value, const reflection::Function& function) noexcept;
    /// Marks all handles of a context or parent, and all handles of these handles, as destroyed by `function`.
    void mark_all_destroyed(Value owner, const reflection::Function& function) noexcept;
    /// Reverts mark_destroyed(). If it throws, the handle is live without owners.
    void restore(Value value);
    /// Copies the state of a handle; returns false if no call has returned it.
    bool find(Value value, Handle& handle) const noexcept;
    void clear() noexcept;

    /// Copies the name of a live handle, or as much of it as fits, and returns its length; 0 if it has none.
    std::size_t copy_name(Value value, char* room, std::size_t size) const noexcept;

    /// Returns the number of handles in the table, live and destroyed.
    std::size_t size() const;

    static constexpr std::size_t max_destroyed = 1 << 14;  ///< limit of destroyed handles that the table contains

    /// Returns the number of destructions. As long as it does not change, live handles remain live.
    unsigned long destructions() const noexcept { return destructions_.load(std::memory_order_acquire); }
    /// Returns the number of changes of names. As long as it does not change, names remain valid.
    unsigned long name_changes() const noexcept { return name_changes_.load(std::memory_order_acquire); }

private:
    struct Entry {
        Handle handle;
        std::string name;
    };

    void put(Value value, Entry& entry, const Handle& handle, std::string_view name);
    void mark_destroyed(Value value, Entry& entry, const reflection::Function& function) noexcept;

    mutable std::mutex mutex_;
    std::map<Value, Entry> handles_;
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
