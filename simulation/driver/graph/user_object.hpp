// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <map>
#include <utility>

#include "objects/stream/work_queue.hpp"

namespace CUBIND_NAMESPACE::sim {

/// An object of the program with a count of references. Thread-safe.
class UserObject {
public:
    /// Calls `destroy(data)` once, on the queue `caller`, after the release of the last reference.
    UserObject(driver::CUuserObject own_handle, driver::CUhostFn destroy, void* data, unsigned references,
               std::shared_ptr<WorkQueue> caller)
        : handle(own_handle), destroy_(destroy), data_(data), caller_(std::move(caller)), references_(references) {}

    void retain(unsigned count) {
        const std::lock_guard lock(mutex_);
        references_ += count;
    }
    /// Returns false and releases nothing if there are fewer references.
    bool release(unsigned count) {
        {
            const std::lock_guard lock(mutex_);
            if (count > references_) return false;
            references_ -= count;
            if (references_ != 0) return true;
        }
        destroy();
        return true;
    }
    bool is_alive() const {
        const std::lock_guard lock(mutex_);
        return references_ != 0;
    }

    const driver::CUuserObject handle;

private:
    /// Calls the function of the program on the queue, or on the calling thread if the system cannot create a thread.
    void destroy() const noexcept {
        const auto call = [function = destroy_, data = data_] { WorkQueue::call_host_function([=] { function(data); }); };
        try {
            if (caller_->push({}, call)) return;
        } catch (const std::bad_alloc&) {
        }
        call();
    }

    const driver::CUhostFn destroy_;
    void* const data_;
    const std::shared_ptr<WorkQueue> caller_;
    mutable std::mutex mutex_;
    unsigned long long references_;
};

/// References that a graph owns. The destructor releases them.
class UserReference {
public:
    /// Takes ownership of `count` existing references.
    UserReference(std::shared_ptr<UserObject> object, unsigned long long count) : object_(std::move(object)), count_(count) {}
    UserReference(UserReference&& other) noexcept : object_(std::move(other.object_)), count_(std::exchange(other.count_, 0)) {}
    UserReference(const UserReference&) = delete;
    UserReference& operator=(const UserReference&) = delete;
    ~UserReference() { release(count_); }

    /// Retains the same number of references for a copy of the graph.
    UserReference copy() const {
        object_->retain(static_cast<unsigned>(count_));
        return {object_, count_};
    }
    void add(unsigned count) noexcept { count_ += count; }
    bool release(unsigned long long count) {
        if (count == 0 || count > count_) return false;
        count_ -= count;
        return object_->release(static_cast<unsigned>(count));
    }
    bool is_empty() const noexcept { return count_ == 0; }

private:
    std::shared_ptr<UserObject> object_;
    unsigned long long count_;
};

using UserReferences = std::map<driver::CUuserObject, UserReference>;

/// Copies all references of a graph and retains them.
inline std::shared_ptr<UserReferences> copy(const UserReferences& references) {
    auto copied = std::make_shared<UserReferences>();
    for (const auto& [object, reference] : references) copied->emplace(object, reference.copy());
    return copied;
}

}  // namespace CUBIND_NAMESPACE::sim
