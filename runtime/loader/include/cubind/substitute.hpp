// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>
#include <cubind/library.hpp>

namespace CUBIND_NAMESPACE {

/// Replacement for a library within the process, such as a simulation. It must live as long as it is installed.
struct Substitute {
    const char* path = "";                                 ///< result of library_path()
    const char* found_via = "";                            ///< result of library_found_via()
    void* (*find)(const char* symbol) noexcept = nullptr;  ///< returns the address of a symbol; null if it is missing
};

/// Redirects all calls of the library's functions to the substitute. Null redirects them to the library itself, which is then
/// searched again. A symbol that the substitute lacks is reported like a missing symbol of a file. `entries` must be all entry
/// points of the library; their addresses are reset. Intercepted calls remain intercepted. No other thread may call the library
/// at the same time.
CUBIND_EXPORT void substitute(Library& library, EntryPoints entries, const Substitute* substitute) noexcept;

/// Returns a value that identifies the loaded file or the installed substitute of the library. Each substitute() changes the
/// value; the value is null while the library is not loaded. Code that caches results of the library compares it. Any thread
/// may call this function.
inline const void* current_implementation(const Library& library) noexcept {
    return __atomic_load_n(&library.state.outcome, __ATOMIC_ACQUIRE);
}

}  // namespace CUBIND_NAMESPACE
