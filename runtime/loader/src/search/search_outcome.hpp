// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Result of the search for a library. Published outcomes are never changed and never freed.
struct SearchOutcome {
    void* handle = nullptr;           ///< from dlopen; null if the library is missing
    std::string path;                 ///< absolute path of the loaded file
    const char* found_via = nullptr;  ///< the step that found it
    std::string missing;              ///< message about the missing library
    std::string notes = {};           ///< one line for each file that was passed over; empty if none was
    /// Lookup of a substitute, or of a simulated driver, which exports more symbols than its release has. Null if symbols are
    /// looked up with dlsym.
    void* (*find)(const char* symbol) noexcept = nullptr;
};

/// Returns the outcome for this library, which is the same for every caller. The first caller searches. Returns null if memory or
/// file descriptors are exhausted; the next caller then searches again.
const SearchOutcome* outcome_of(Library& library) noexcept;

/// Failure::detail of a call for which memory was exhausted.
inline constexpr const char* exhausted_text =
    "Memory or file descriptors were exhausted while the library or the function was looked up. The next call looks it up again.";

}  // namespace CUBIND_NAMESPACE::detail
