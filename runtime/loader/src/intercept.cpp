// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/intercept.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include <cubind/detail/interceptor.hpp>

#include "interception.hpp"

namespace cubind {

namespace {

constinit std::atomic<Observer> present_observer{nullptr};

// Guards all below, and every change of an entry's address.
constinit std::mutex mutex;
constinit const reflection::LibraryDescription* const* present_libraries = nullptr;

void put_interceptors(const reflection::LibraryDescription& library) noexcept {
    std::size_t index = 0;
    for (EntryPoint* const entry : library.entry_points()) {
        void* const interceptor = library.functions[index].interceptor();
        void* const current = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);
        if (current != nullptr) {
            __atomic_store_n(&library.originals[index], current, __ATOMIC_RELEASE);
            __atomic_store_n(&entry->address, interceptor, __ATOMIC_RELEASE);
        }
        ++index;
    }
}

void take_interceptors_away(const reflection::LibraryDescription& library) noexcept {
    std::size_t index = 0;
    for (EntryPoint* const entry : library.entry_points()) {
        if (__atomic_load_n(&entry->address, __ATOMIC_ACQUIRE) == library.functions[index].interceptor()) {
            __atomic_store_n(&entry->address, __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
        }
        ++index;
    }
}

// What stands in for a function, and the address that it stands in for; nulls where the function's calls are not intercepted.
struct Interception {
    void* interceptor = nullptr;
    void** original = nullptr;
};

Interception interception_of(const EntryPoint& entry) noexcept {
    for (auto each = present_libraries; each != nullptr && *each != nullptr; ++each) {
        const reflection::LibraryDescription& library = **each;
        if (&library.loaded() != entry.library) continue;
        const EntryPoints entries = library.entry_points();
        const auto row = std::find(entries.begin(), entries.end(), &entry);
        if (row == entries.end()) continue;
        const auto index = static_cast<std::size_t>(row - entries.begin());
        return {library.functions[index].interceptor(), &library.originals[index]};
    }
    return {};
}

}  // namespace

void intercept(const reflection::LibraryDescription* const* libraries, Observer observer) noexcept {
    const std::lock_guard lock(mutex);
    const auto* const former = std::exchange(present_libraries, observer != nullptr ? libraries : nullptr);
    present_observer.store(observer, std::memory_order_release);
    if (present_libraries == former) return;
    for (auto each = former; each != nullptr && *each != nullptr; ++each) take_interceptors_away(**each);
    for (auto each = present_libraries; each != nullptr && *each != nullptr; ++each) put_interceptors(**each);
}

void* original_address(const reflection::LibraryDescription& library, const reflection::Function& function) noexcept {
    const std::ptrdiff_t index = &function - library.functions.data();
    EntryPoint& entry = **(library.entry_points().begin() + index);
    if (!has(entry)) return nullptr;
    void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    return address == function.interceptor() ? __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE) : address;
}

namespace detail {

void observe(const Call& call) noexcept {
    const Observer observer = present_observer.load(std::memory_order_acquire);
    if (observer != nullptr) {
        observer(call);
    } else {
        call.proceed();
    }
}

void* store_address(EntryPoint& entry, void* found) noexcept {
    const std::lock_guard lock(mutex);  // so that no function is looked up while interceptors are put in place
    const Interception interception = interception_of(entry);
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (current != nullptr) return current;
    if (interception.original != nullptr) __atomic_store_n(interception.original, found, __ATOMIC_RELEASE);
    void* const wanted = interception.original != nullptr ? interception.interceptor : found;
    __atomic_store_n(&entry.address, wanted, __ATOMIC_RELEASE);
    return wanted;
}

void* replace_address(EntryPoint& entry, void* replacement) noexcept {
    const std::lock_guard lock(mutex);
    const Interception interception = interception_of(entry);
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    const bool is_intercepted = current != nullptr && current == interception.interceptor;
    void* const before = is_intercepted ? __atomic_load_n(interception.original, __ATOMIC_ACQUIRE) : current;
    if (interception.original != nullptr && replacement != nullptr) {
        __atomic_store_n(interception.original, replacement, __ATOMIC_RELEASE);
        replacement = interception.interceptor;
    }
    __atomic_store_n(&entry.address, replacement, __ATOMIC_RELEASE);
    return before;
}

}  // namespace detail

namespace reflection {

const char* name_of(const Type& enumeration, long long value) noexcept {
    for (const Enumerator& each : enumeration.enumerators) {
        if (each.value == value) return each.name;
    }
    return nullptr;
}

}  // namespace reflection

}  // namespace cubind
