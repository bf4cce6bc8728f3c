// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts.hpp"

#include <string>
#include <vector>

namespace cubind::info {

/// Something on this machine that will make a program fail, or do other than its user expects.
struct Mismatch {
    std::string id;    ///< stable, for programs, e.g. "ptx_too_new"
    std::string text;  ///< one sentence: the values, and what to do
};

/// Everything that will bite, in the order in which to mend it. A pure function of the facts.
std::vector<Mismatch> find_mismatches(const Facts& facts);

/// Parts of it: how libraries were looked for, and how those that were found fit together.
void find_search_mismatches(const Facts& facts, std::vector<Mismatch>& found);
void find_version_mismatches(const Facts& facts, std::vector<Mismatch>& found);

}  // namespace cubind::info
