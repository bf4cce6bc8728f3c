// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>
#include <cubind/entry_points.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// A wrapper, or the function that returns a variable, and its facts in api.json.
struct Wrapper {
    const char* name;     ///< the C++ name
    const char* symbol;   ///< the symbol that the wrapper calls
    const char* since;    ///< release that introduced the symbol
    const char* removed;  ///< release whose headers dropped it, or ""
    unsigned releases;    ///< bit i: the i-th release has the symbol
    bool returns_status;
    int missing_value;  ///< the result of a missing function without a status
    bool is_variable;

    cubind::EntryPoint* (*entry_point)();
    bool (*has)();
    const char* (*available_since)();
    int (*call_with_zeros)();  ///< returns the status, or the number that the function returns instead, or 0
};

/// Every wrapper of a library under each of its names.
struct WrapperList {
    std::span<const char* const> releases;
    std::span<const Wrapper> wrappers;

    /// Returns whether the tested release has the symbol of the wrapper.
    bool expects(const Wrapper& wrapper) const;
};

/// A library with all of its wrappers.
struct TestedLibrary {
    const char* name;
    Library* library;
    EntryPoints entries;
    WrapperList list;
    std::size_t function_count;  ///< in api.json
    int library_missing;         ///< the status of a wrapper without a library
    int symbol_missing;          ///< the status of a wrapper whose library lacks the symbol
};

/// Returns the libraries that are linked into the program.
std::vector<TestedLibrary>& tested_libraries();
/// Adds a library. Returns true.
bool add(const TestedLibrary& library);
/// Returns the library of that name, which must be linked into the program.
const TestedLibrary& tested_library(std::string_view name);

/// Returns CUBIND_TEST_RELEASE: a release, "none" or "broken".
std::string_view tested_release();

/// Returns 12040 for "12.4", 2019003 for "2.19.3", which is a library's own version, or 0 for other text.
int release_number(std::string_view release);

/// Calls a wrapper whose library lacks the symbol, and checks that the wrapper returns `status`. Checks that the failure names
/// the symbol, the releases that introduced and dropped it, and each text of `found`, such as the path and the release of the
/// library.
void expect_missing_symbol(const Wrapper& wrapper, int status, const std::vector<std::string>& found);

}  // namespace cubind::testing
