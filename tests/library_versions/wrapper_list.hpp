// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <cubind/entry_point.hpp>

namespace cubind::testing {

/// A wrapper, and what api.json says of it.
struct Wrapper {
    const char* name;     ///< in C++
    const char* symbol;   ///< that it calls
    const char* since;    ///< release that introduced the symbol
    const char* removed;  ///< release whose headers dropped it, or ""
    unsigned releases;    ///< bit i: the i-th release has the symbol

    cubind::EntryPoint* (*entry_point)();
    bool (*has)();
    const char* (*available_since)();
    int (*call_with_zeros)();  ///< the status; 0 where the function returns none
};

/// Every wrapper of a library, by each name that it has.
struct WrapperList {
    std::span<const char* const> releases;
    std::span<const Wrapper> wrappers;

    /// Whether the tested release has it.
    bool expects(const Wrapper& wrapper) const;
};

WrapperList driver_wrappers();
WrapperList nvrtc_wrappers();
WrapperList nvjitlink_wrappers();

/// What the process is run with, as CUBIND_TEST_RELEASE says: a release, or "none" or "broken".
std::string_view tested_release();

/// "12.4" is 12040; 0 for what is no release.
int release_number(std::string_view release);

/// Calls a wrapper whose library lacks the symbol: it gives `status`, and the failure names the symbol, the release that
/// introduced it, and `found`, for example "/lib/libcuda.so.1 (driver, found via OS loader) is of CUDA 12.2".
void expect_missing_symbol(const Wrapper& wrapper, int status, const std::string& found);

}  // namespace cubind::testing
