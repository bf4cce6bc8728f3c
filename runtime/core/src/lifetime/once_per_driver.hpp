// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/loading.hpp>
#include <cubind/substitute.hpp>

#include <atomic>
#include <memory>
#include <mutex>

namespace CUBIND_NAMESPACE::detail {

/// An object that exists once for each driver of the process. A process has one driver, except in tests: each installation of a
/// simulated driver counts as another driver with other handles. The objects are never destroyed, because objects of any
/// lifetime may use them. Thread-safe. Must be a static variable.
template <class Type>
class OncePerDriver {
public:
    /// Returns the object of the current driver. The first call creates it with `make()`, which returns a std::unique_ptr. If
    /// `make` throws, the next call tries again.
    template <class Make>
    Type& get(const Make& make) {
        const Instance* const newest = newest_.load(std::memory_order_acquire);
        if (newest != nullptr && newest->driver == current_implementation(newest->library)) [[likely]]
            return *newest->object;
        return create(make);
    }

private:
    struct Instance {
        const Library& library;
        const void* driver;
        std::unique_ptr<Type> object;
        const Instance* previous;  // leak checkers thus find the object reachable
    };

    template <class Make>
    [[gnu::cold, gnu::noinline]] Type& create(const Make& make) {
        const std::lock_guard lock(mutex_);
        const Instance* const newest = newest_.load(std::memory_order_relaxed);
        const Library& library = driver::library();
        if (newest != nullptr && newest->driver == current_implementation(library)) return *newest->object;
        std::unique_ptr<Type> object = make();  // loads the driver
        const auto* const created = new Instance{library, current_implementation(library), std::move(object), newest};
        newest_.store(created, std::memory_order_release);
        return *created->object;
    }

    std::atomic<const Instance*> newest_{nullptr};
    std::mutex mutex_;
};

}  // namespace CUBIND_NAMESPACE::detail
