// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// One library's names as one translation unit sees them. The same source, coexistence_mode.cpp, is compiled once for each order
/// in which the vendor's header can come and for each meaning of the default stream; all of them are linked into one program.
namespace cubind::testing {

struct Meaning {
    const char* name;    ///< as a programmer writes it
    const char* symbol;  ///< what it means
};

using Meanings = std::vector<Meaning>;

/// What the vendor's own header makes of the names: their text after macro expansion.
Meanings vendor_legacy();
Meanings vendor_per_thread();

struct Mode {
    const char* name;
    Meanings (*expected)();  ///< the vendor's
    Meanings (*names)();     ///< symbol of the entry point behind every wrapper
    Meanings (*calls)();     ///< symbol that a call asks for, for some functions
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
