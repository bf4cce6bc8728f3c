// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/interceptor.hpp>
#include <cubind/intercept.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "intercept/interception.hpp"
#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE {

namespace {

constinit std::atomic<Observer> current_observer{nullptr};

// Guards current_libraries and every change of an entry's address.
constinit std::mutex mutex;
constinit detail::StaticForkHook fork_hook;
constinit const reflection::LibraryDescription* const* current_libraries = nullptr;

void install_interceptors(const reflection::LibraryDescription& library) noexcept {
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

void remove_interceptors(const reflection::LibraryDescription& library) noexcept {
    std::size_t index = 0;
    for (EntryPoint* const entry : library.entry_points()) {
        if (__atomic_load_n(&entry->address, __ATOMIC_ACQUIRE) == library.functions[index].interceptor()) {
            __atomic_store_n(&entry->address, __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
        }
        ++index;
    }
}

// Interceptor of a function and storage for the address that it replaced; both are null if the calls are not intercepted.
struct Interception {
    void* interceptor = nullptr;
    void** original = nullptr;
};

Interception interception_of(const EntryPoint& entry) noexcept {
    for (auto each = current_libraries; each != nullptr && *each != nullptr; ++each) {
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
    const auto* const previous = std::exchange(current_libraries, observer != nullptr ? libraries : nullptr);
    current_observer.store(observer, std::memory_order_release);
    if (current_libraries == previous) return;
    for (auto each = previous; each != nullptr && *each != nullptr; ++each) remove_interceptors(**each);
    for (auto each = current_libraries; each != nullptr && *each != nullptr; ++each) install_interceptors(**each);
}

void* original_address(const reflection::LibraryDescription& library, const reflection::Function& function) noexcept {
    const std::ptrdiff_t index = &function - library.functions.data();
    EntryPoint& entry = **(library.entry_points().begin() + index);
    if (!has(entry)) return nullptr;
    void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    return address == function.interceptor() ? __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE) : address;
}

namespace detail {

void observe(const reflection::LibraryDescription& library, std::size_t index, void* const* arguments, void* returned) noexcept {
    void* const original = __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE);
    const Call call{library, library.functions[index], arguments, returned, original};
    const Observer observer = current_observer.load(std::memory_order_acquire);
    if (observer != nullptr) {
        observer(call);
    } else {
        call.proceed();
    }
}

void* store_address(EntryPoint& entry, void* found) noexcept {
    static const bool is_held_during_fork = (fork_hook.add(ForkLevel::entry_points, &mutex), true);
    static_cast<void>(is_held_during_fork);
    const std::lock_guard lock(mutex);  // no address is stored while interceptors are installed
    const Interception interception = interception_of(entry);
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (current != nullptr) return current;
    if (interception.original != nullptr) __atomic_store_n(interception.original, found, __ATOMIC_RELEASE);
    void* const stored = interception.original != nullptr ? interception.interceptor : found;
    __atomic_store_n(&entry.address, stored, __ATOMIC_RELEASE);
    return stored;
}

void* replace_address(EntryPoint& entry, void* replacement) noexcept {
    const std::lock_guard lock(mutex);
    const Interception interception = interception_of(entry);
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    const bool is_intercepted = current != nullptr && current == interception.interceptor;
    void* const previous = is_intercepted ? __atomic_load_n(interception.original, __ATOMIC_ACQUIRE) : current;
    if (interception.original != nullptr && replacement != nullptr) {
        __atomic_store_n(interception.original, replacement, __ATOMIC_RELEASE);
        replacement = interception.interceptor;
    }
    __atomic_store_n(&entry.address, replacement, __ATOMIC_RELEASE);
    return previous;
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

}  // namespace CUBIND_NAMESPACE
