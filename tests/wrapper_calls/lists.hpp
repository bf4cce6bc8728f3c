// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "function.hpp"

namespace cubind::testing {

/// Returns the lists of each library, one for each compilation mode of its headers, sorted by the names of the modes.
std::map<std::string, std::vector<FunctionList>>& all_lists();

/// Adds a part of a list. All parts of a list differ only in their functions. Returns true.
bool add(const FunctionList& part);

}  // namespace cubind::testing
