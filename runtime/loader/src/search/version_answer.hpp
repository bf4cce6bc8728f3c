// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <string>

#include "search/search_outcome.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Version that an opened library reports.
struct VersionAnswer {
    int version = 0;      ///< in the form of version(library); 0 if unknown
    std::string problem;  ///< why the version is unknown; empty if it is known
};

/// Calls the row's version_function, which must not be null, in the opened library.
VersionAnswer ask_version(const Library& library, const SearchOutcome& found);

/// Returns the major of a version in the form of version(library).
int version_major(const Library& library, int version);

/// Returns a version in the form of version(library) with its product, for example "CUDA 13.4".
std::string version_name(const Library& library, int version);

}  // namespace CUBIND_NAMESPACE::detail
