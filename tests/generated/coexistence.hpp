// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// The names of one library in one translation unit. coexistence_mode.cpp is compiled once for each position of the vendor's
/// header and for each meaning of the default stream. All objects are linked into one program.
namespace cubind::testing {

struct Meaning {
    const char* name;    ///< the public name
    const char* symbol;  ///< the symbol that it refers to
};

using Meanings = std::vector<Meaning>;

/// Returns the text of each name after macro expansion by the vendor's header.
Meanings vendor_legacy();
/// Returns the text of each name after macro expansion by the vendor's header for the per-thread default stream.
Meanings vendor_per_thread();

struct Mode {
    const char* name;
    Meanings (*expected)();  ///< returns the meanings in the vendor's header
    Meanings (*names)();     ///< returns the symbol of the entry point of every wrapper
    Meanings (*calls)();     ///< returns the symbol that a call of every wrapper resolves
};

#define CUBIND_TEST_MODE(mode) \
    Meanings names_##mode();   \
    Meanings calls_##mode();
CUBIND_TEST_MODE(none_legacy)
CUBIND_TEST_MODE(before_legacy)
CUBIND_TEST_MODE(after_legacy)
CUBIND_TEST_MODE(none_per_thread)
CUBIND_TEST_MODE(before_per_thread)
CUBIND_TEST_MODE(after_per_thread)
#undef CUBIND_TEST_MODE

}  // namespace cubind::testing
