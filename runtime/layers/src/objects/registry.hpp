// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::layers::objects {

using Value = unsigned long long;

/// Owners of an object or handle, with which it is destroyed.
struct Owners {
    Value context = 0;  ///< context that was current at its creation; 0 if none or unknown
    Value parent = 0;   ///< handle of its parent; 0 if none
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
    /// Adds an object, or a reference if it is counted and already in the table.
    void add(Object object, bool is_counted);
    /// Removes one reference of the object, and the object with its last reference. Returns the previous object, with a count
    /// of 0 if there is none.
    Object remove(std::string_view kind, Value value);
    /// Reverts remove(), which returned `before`.
    void restore(const Object& before);
    /// Returns the context that is destroyed with the object; 0 if there is none.
    Value owning(Value value) const;
    /// Removes all objects of a context or of a parent.
    void remove_all_of_context(Value context);
    void remove_all_of_parent(Value parent);

    /// Returns the number of the latest object.
    unsigned long long last_number() const noexcept { return last_number_.load(std::memory_order_relaxed); }
    /// Returns the live objects with a greater number.
    std::vector<Object> all_after(unsigned long long number) const;
    void clear();

private:
    template <class Selects>
    void remove_if(Selects selects);

    mutable std::mutex mutex_;
    std::map<std::pair<Value, std::string_view>, Object> objects_;
    std::atomic<unsigned long long> last_number_{0};
};

/// State of a handle.
struct Handle {
    const reflection::Function* returned_by = nullptr;   ///< function that returned it
    const reflection::Function* destroyed_by = nullptr;  ///< function that destroyed it; null while it is live
    Owners owners = {};                                  ///< context and parent with which it is destroyed
};

/// Table of the handles that calls returned. It also contains a limited number of destroyed handles. Thread-safe.
class Handles {
public:
    /// Adds or replaces a handle.
    void add(Value value, const Handle& handle);
    /// Adds a handle unless it is already in the table and live.
    void add_if_new(Value value, const reflection::Function& function);
    /// Marks a handle as destroyed by `function`.
    void mark_destroyed(Value value, const reflection::Function& function);
    /// Marks all handles of a context or parent as destroyed by `function`.
    void mark_all_destroyed(Value context_or_parent, const reflection::Function& function);
    /// Reverts mark_destroyed().
    void restore(Value value);
    /// Copies the state of a handle; returns false if no call has returned it.
    bool find(Value value, Handle& handle) const;
    void clear();

    /// Returns the number of destructions. As long as it does not change, live handles remain live.
    unsigned long destructions() const noexcept { return destructions_.load(std::memory_order_acquire); }

private:
    void mark_destroyed(Value value, Handle& handle, const reflection::Function& function);

    mutable std::mutex mutex_;
    std::map<Value, Handle> handles_;
    std::vector<Value> destroyed_;  ///< ring buffer; the oldest is removed if there are too many
    std::size_t next_destroyed_ = 0;
    std::atomic<unsigned long> destructions_{0};
};

/// Return the tables of the process. They are never destroyed: calls may be made until the process ends.
Objects& all_objects();
Handles& all_handles();

}  // namespace CUBIND_NAMESPACE::layers::objects
