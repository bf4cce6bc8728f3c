// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles one library in one mode. CMake defines LIBRARY, CUBIND_HEADER, VENDOR_HEADERS and NAMES (files to include),
// NAMES_FUNCTION and CALLS_FUNCTION, and VENDOR_BEFORE, VENDOR_AFTER or neither.
#if defined(VENDOR_BEFORE)
#include VENDOR_HEADERS
#endif

#include CUBIND_HEADER

#if defined(VENDOR_AFTER)
#include VENDOR_HEADERS
#endif

#include <cubind/failure.hpp>

#include "../support/call_with_zeros.hpp"
#include "coexistence.hpp"

namespace cubind::testing {

Meanings NAMES_FUNCTION() {
    Meanings found;
    const auto add = [&found](const char* name, void (*wrapper)()) {
        const EntryPoint* const entry = LIBRARY::entry_point_of(wrapper);
        found.push_back({name, entry != nullptr ? entry->symbol : "a wrapper without an entry point"});
    };
#define NAME(name) add(#name, reinterpret_cast<void (*)()>(&LIBRARY::name));
#include NAMES
#undef NAME
    return found;
}

Meanings CALLS_FUNCTION() {
    Meanings found;
#define NAME(name)                  \
    call_with_zeros(LIBRARY::name); \
    found.push_back({#name, last_failure().function});
#include NAMES
#undef NAME
    return found;
}

}  // namespace cubind::testing
