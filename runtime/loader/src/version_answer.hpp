// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cubind/library.hpp>

#include "search_outcome.hpp"

namespace cubind::detail {

/// What an opened library says when it is asked for its version.
struct VersionAnswer {
    int version = 0;      ///< 1000 * major + 10 * minor; 0 when it cannot tell
    std::string problem;  ///< why it cannot tell
};

/// Calls the row's version_function, which must not be null, in the library that was found.
VersionAnswer ask_version(const Library& library, const SearchOutcome& found);

}  // namespace cubind::detail
