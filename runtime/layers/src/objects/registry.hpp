// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include <cubind/intercept.hpp>

namespace cubind::layers::objects {

using Value = unsigned long long;

/// What belongs to an object or handle: the context that was current when it began, and what ends it.
struct Belonging {
    Value context = 0;  ///< 0: none, or not known
    Value parent = 0;   ///< handle that it ends with; 0: none
};

/// An object that a program has to end.
struct Object {
    std::string_view kind;
    Value value = 0;
    unsigned long count = 1;  ///< of references
    Belonging belonging;
    Value owning = 0;  ///< context that it stands for; 0: none
    unsigned long long number = 0;  ///< in the order in which objects began
    unsigned thread = 0;
    std::chrono::nanoseconds since_start{};
    const reflection::LibraryDescription* library = nullptr;
    const reflection::Function* function = nullptr;  ///< that began it
    std::vector<std::byte> call;                     ///< its captured arguments
};

/// The objects that live. Thread-safe.
class Objects {
public:
    void begin(Object object, bool is_counted);
    /// Takes one reference of the object away and gives back what it was before, with a count of 0 where there is none.
    Object end(std::string_view kind, Value value);
    /// Makes undone what end() did.
    void restore(const Object& before);
    /// The context that an object stands for.
    Value owning(Value value) const;
    void end_all_of_context(Value context);
    void end_all_of_parent(Value parent);

    unsigned long long last_number() const noexcept { return last_number_.load(std::memory_order_relaxed); }
    std::vector<Object> all_after(unsigned long long number) const;
    void clear();

private:
    template <class Selects>
    void end_if(Selects selects);

    mutable std::mutex mutex_;
    std::map<std::pair<Value, std::string_view>, Object> objects_;
    std::atomic<unsigned long long> last_number_{0};
};

/// What is known of a handle.
struct Handle {
    const reflection::Function* given_by = nullptr;
    const reflection::Function* ended_by = nullptr;  ///< null while it lives
    Belonging belonging = {};
};

/// Handles that calls have given, and those that ended not too long ago. Thread-safe.
class Handles {
public:
    void give(Value value, const Handle& handle);
    /// A handle that is there keeps what is known of it, unless it had ended.
    void give_if_new(Value value, const reflection::Function& function);
    void end(Value value, const reflection::Function& function);
    void end_all_of(Value context_or_parent, const reflection::Function& function);
    void restore(Value value);
    /// False for a handle that no call has given.
    bool find(Value value, Handle& handle) const;
    void clear();

    /// Changes whenever a handle ends: until then, one that lived still does.
    unsigned long endings() const noexcept { return endings_.load(std::memory_order_acquire); }

private:
    void note_ending(Value value, Handle& handle, const reflection::Function& function);

    mutable std::mutex mutex_;
    std::map<Value, Handle> handles_;
    std::vector<Value> ended_;  ///< in a ring: the oldest is forgotten when there are too many
    std::size_t next_ended_ = 0;
    std::atomic<unsigned long> endings_{0};
};

/// Those of the process. Never destroyed: calls may come until its end.
Objects& all_objects();
Handles& all_handles();

}  // namespace cubind::layers::objects
