// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cubind/library.hpp>

namespace cubind::detail {

/// How the search for a library ended. Published ones are never changed and never freed.
struct SearchOutcome {
    void* handle = nullptr;           ///< from dlopen; null when the library is missing
    std::string path;                 ///< absolute path of the loaded file
    const char* found_via = nullptr;  ///< the step that found it
    std::string missing;              ///< the message of a missing library
    void* (*find)(const char* symbol) noexcept = nullptr;  ///< of a substitute; null: the handle is asked
};

/// The outcome for this library, the same one for every caller; the first caller searches.
const SearchOutcome& outcome_of(Library& library) noexcept;

}  // namespace cubind::detail
