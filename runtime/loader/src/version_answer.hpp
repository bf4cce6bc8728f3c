// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>

#include "search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Version that an opened library reports.
struct VersionAnswer {
    int version = 0;      ///< 1000 * major + 10 * minor; 0 if unknown
    std::string problem;  ///< why the version is unknown; empty if it is known
};

/// Calls the row's version_function, which must not be null, in the opened library.
VersionAnswer ask_version(const Library& library, const SearchOutcome& found);

}  // namespace CUBIND_NAMESPACE::detail
