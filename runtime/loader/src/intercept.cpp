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

// Guards all below, and the addresses of entries against two that intercept at once.
constinit std::mutex mutex;
constinit const reflection::Library* const* present_libraries = nullptr;

void put_interceptors(const reflection::Library& library) noexcept {
    std::size_t index = 0;
    for (EntryPoint* const entry : library.entry_points()) {
        void* const interceptor = library.functions[index].interceptor();
        void* current = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);
        while (current != nullptr && current != interceptor) {
            __atomic_store_n(&library.originals[index], current, __ATOMIC_RELEASE);
            if (__atomic_compare_exchange_n(&entry->address, &current, interceptor, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
                break;
            }
        }
        ++index;
    }
}

void take_interceptors_away(const reflection::Library& library) noexcept {
    std::size_t index = 0;
    for (EntryPoint* const entry : library.entry_points()) {
        void* interceptor = library.functions[index].interceptor();
        void* const original = __atomic_load_n(&library.originals[index], __ATOMIC_ACQUIRE);
        // What somebody else has put there meanwhile stays.
        __atomic_compare_exchange_n(&entry->address, &interceptor, original, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        ++index;
    }
}

// The function's interceptor, which will stand in for `found`; `found` itself where calls are not intercepted.
void* interceptor_for(const EntryPoint& entry, void* found) noexcept {
    for (auto each = present_libraries; each != nullptr && *each != nullptr; ++each) {
        const reflection::Library& library = **each;
        if (&library.loaded() != entry.library) continue;
        const EntryPoints entries = library.entry_points();
        const auto row = std::find(entries.begin(), entries.end(), &entry);
        if (row == entries.end()) continue;
        const auto index = static_cast<std::size_t>(row - entries.begin());
        __atomic_store_n(&library.originals[index], found, __ATOMIC_RELEASE);
        return library.functions[index].interceptor();
    }
    return found;
}

}  // namespace

void intercept(const reflection::Library* const* libraries, Observer observer) noexcept {
    const std::lock_guard lock(mutex);
    const auto* const former = std::exchange(present_libraries, observer != nullptr ? libraries : nullptr);
    present_observer.store(observer, std::memory_order_release);
    if (present_libraries == former) return;
    for (auto each = former; each != nullptr && *each != nullptr; ++each) take_interceptors_away(**each);
    for (auto each = present_libraries; each != nullptr && *each != nullptr; ++each) put_interceptors(**each);
}

void* original_address(const reflection::Library& library, const reflection::Function& function) noexcept {
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
    void* const wanted = interceptor_for(entry, found);
    void* current = nullptr;
    const bool stored =
        __atomic_compare_exchange_n(&entry.address, &current, wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return stored ? wanted : current;
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
