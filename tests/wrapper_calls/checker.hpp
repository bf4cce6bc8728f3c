// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "function.hpp"

namespace cubind::testing {

/// What is wrong with a function that has a signature, each named with it. It is called with its entry point replaced by a C
/// function that records the call: with random arguments that are all different and with nothing but zeros and nulls, and with
/// the C function succeeding and failing.
std::vector<std::string> check(const Function& function, const FunctionList& list);

/// For a function without a signature: that its name means what it means in another list.
std::vector<std::string> check_same(const Function& function, const FunctionList& list, const FunctionList& other);

}  // namespace cubind::testing
