// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "function.hpp"

namespace cubind::testing {

/// The lists of each library, one for each mode in which its headers can be compiled, in the order of the modes' names.
std::map<std::string, std::vector<FunctionList>>& all_lists();

/// Adds a part of a list; the other members are the same in every part.
bool add(const FunctionList& part);

}  // namespace cubind::testing
