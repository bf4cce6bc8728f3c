// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "facts.hpp"

namespace cubind::info {

/// A problem of this machine that makes programs fail or behave unexpectedly.
struct Mismatch {
    std::string id;    ///< stable identifier for programs, for example "ptx_too_new"
    std::string text;  ///< one sentence with the values and the remedy
};

/// Returns all problems in the order in which to fix them. The result depends only on the facts.
std::vector<Mismatch> find_mismatches(const Facts& facts);

/// Adds the problems of the search for libraries.
void find_search_mismatches(const Facts& facts, std::vector<Mismatch>& found);
/// Adds the problems of the versions of the libraries that were found.
void find_version_mismatches(const Facts& facts, std::vector<Mismatch>& found);

}  // namespace cubind::info
