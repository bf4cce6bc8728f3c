// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// A wrapper and its facts in api.json.
struct Wrapper {
    const char* name;     ///< the C++ name
    const char* symbol;   ///< the symbol that the wrapper calls
    const char* since;    ///< release that introduced the symbol
    const char* removed;  ///< release whose headers dropped it, or ""
    unsigned releases;    ///< bit i: the i-th release has the symbol

    cubind::EntryPoint* (*entry_point)();
    bool (*has)();
    const char* (*available_since)();
    int (*call_with_zeros)();  ///< returns the status, or 0 if the function returns none
};

/// Every wrapper of a library under each of its names.
struct WrapperList {
    std::span<const char* const> releases;
    std::span<const Wrapper> wrappers;

    /// Returns whether the tested release has the symbol of the wrapper.
    bool expects(const Wrapper& wrapper) const;
};

WrapperList driver_wrappers();
WrapperList nvrtc_wrappers();
WrapperList nvjitlink_wrappers();

/// Returns CUBIND_TEST_RELEASE: a release, "none" or "broken".
std::string_view tested_release();

/// Returns 12040 for "12.4", or 0 for text that is not a release.
int release_number(std::string_view release);

/// Calls a wrapper whose library lacks the symbol, and checks that the wrapper returns `status`. Checks that the failure names
/// the symbol, the releases that introduced and dropped it, and each text of `found`, such as the path and the release of the
/// library.
void expect_missing_symbol(const Wrapper& wrapper, int status, const std::vector<std::string>& found);

}  // namespace cubind::testing
