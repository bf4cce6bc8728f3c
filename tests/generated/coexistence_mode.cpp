// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiles one library in one mode. CMake defines LIBRARY, CUBIND_HEADER, VENDOR_HEADER, NAMES and CALLS (files to include),
// NAMES_FUNCTION and CALLS_FUNCTION, and VENDOR_BEFORE, VENDOR_AFTER or neither.
#if defined(VENDOR_BEFORE)
#include VENDOR_HEADER
#endif

#include CUBIND_HEADER

#if defined(VENDOR_AFTER)
#include VENDOR_HEADER
#endif

#include <cubind/failure.hpp>

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
#define CALL(name, ...)                            \
    static_cast<void>(LIBRARY::name(__VA_ARGS__)); \
    found.push_back({#name, last_failure().function});
    using namespace LIBRARY;
#include CALLS
#undef CALL
    return found;
}

}  // namespace cubind::testing
