// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

namespace cubind {

/// One bound function. Generated code defines one `constinit` object per ABI symbol; every call goes through
/// `address`, so whoever swaps it (exchange_address) sees every call.
struct EntryPoint {
    void* address = nullptr;        ///< null until resolved; atomic
    const char* symbol = "";        ///< exactly what is looked up
    const char* since = "";         ///< release that introduced the symbol, e.g. "12.4", for messages
    const char* removed = "";       ///< release whose headers dropped it, "" for none, for messages
    Library* library = nullptr;     ///< never null in use
    const char* missing = nullptr;  ///< why the symbol is missing, once that is known; atomic
};

/// Looks the symbol up (loading its library if needed) unless that has been done, and returns the address.
/// When it is missing, returns null and sets last_failure(), each time; the search itself is not repeated.
/// Any thread may call it.
[[gnu::cold, gnu::noinline]] void* resolve(EntryPoint& entry) noexcept;

/// The address to call: one load once the entry is resolved. Null, with last_failure() set, when it is
/// missing.
inline void* address_of(EntryPoint& entry) noexcept {
    void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (address != nullptr) [[likely]] {
        return address;
    }
    return resolve(entry);
}

/// Whether the function can be called: loads and looks up, calls at most the library's version_function, and leaves
/// last_failure() alone.
bool has(EntryPoint& entry) noexcept;

/// Makes `replacement` the address that is called from now on and returns the one before (the vendor's
/// function, or the replacement of a layer below), for the replacement to forward to and to put back later.
/// Null means that the function is missing and there is nothing to forward to; putting null back restores
/// just that. Leaves last_failure() alone. Calls that other threads have begun may still use the address
/// before.
void* exchange_address(EntryPoint& entry, void* replacement) noexcept;

}  // namespace cubind
