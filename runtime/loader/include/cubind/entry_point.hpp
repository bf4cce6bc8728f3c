// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

namespace CUBIND_NAMESPACE {

/// One bound function. Generated code defines one `constinit` object per ABI symbol. Every call goes through `address`, so a
/// replacement that exchange_address() installs receives every call. Programs may define further objects, which must exist until
/// the process ends, to look up variables of a library: address_of() then returns the address of the variable.
struct EntryPoint {
    void* address = nullptr;        ///< address to call; null until resolved; atomic
    const char* symbol = "";        ///< the exact ABI symbol that is looked up
    const char* since = "";         ///< release that introduced the symbol, for example "12.4"; for messages
    const char* removed = "";       ///< release whose headers dropped the symbol; "" if none did; for messages
    Library* library = nullptr;     ///< library that exports the symbol; must not be null when the entry is used
    const char* missing = nullptr;  ///< reason why the symbol is missing; null until a lookup has failed; atomic
};

/// Returns the address of the function. Looks the symbol up on the first call and loads its library if needed (dlsym). If the
/// function is missing, every call returns null and sets last_failure(), but the search is not repeated unless it failed because
/// memory or file descriptors were exhausted. Any thread may call it.
[[gnu::cold, gnu::noinline]] CUBIND_EXPORT void* resolve(EntryPoint& entry) noexcept;

/// Returns the address to call. Resolves the entry on the first call; later calls cost one load. Returns null and sets
/// last_failure() if the function is missing.
inline void* address_of(EntryPoint& entry) noexcept {
    void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (address != nullptr) [[likely]] {
        return address;
    }
    return resolve(entry);
}

/// Returns whether the function can be called. Loads the library and looks the symbol up if needed; the only vendor function that
/// it may call is the library's version_function. Does not change last_failure(). Any thread may call it.
CUBIND_EXPORT bool has(EntryPoint& entry) noexcept;

/// Installs `replacement` as the address that is called and returns the previous address: the vendor's function or the
/// replacement of a layer below. The replacement forwards to the previous address, and a later exchange restores it. A null
/// return value means that the function is missing and there is nothing to forward to; restoring null is valid. Does not change
/// last_failure(). Calls that other threads have begun may still use the previous address.
CUBIND_EXPORT void* exchange_address(EntryPoint& entry, void* replacement) noexcept;

}  // namespace CUBIND_NAMESPACE
