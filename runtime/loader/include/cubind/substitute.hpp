// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_points.hpp>

namespace cubind {

/// What a library is replaced by within the process: a simulation of it, for example. Lives as long as it is in use.
struct Substitute {
    const char* path = "";                           ///< what library_path() says
    const char* found_via = "";                      ///< what library_found_via() says
    void* (*find)(const char* symbol) noexcept = nullptr;  ///< address of a symbol; null: it is missing
};

/// Makes every call of the library's functions go to the substitute, with missing symbols reported as those of a file are; null:
/// to the library itself again, which is searched anew. `entries` are all of the library's, and forget what they called before;
/// where calls are intercepted, they go on to be. No other thread may call the library meanwhile.
void substitute(Library& library, EntryPoints entries, const Substitute* substitute) noexcept;

}  // namespace cubind
