// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "function.hpp"

namespace cubind::testing {

/// Checks a function that has a signature and returns its errors, each with the name of the function. Replaces the entry point of
/// the wrapper by a C function that records the call. Calls the wrapper with random arguments that are all different, and with
/// zeros and null pointers only. The C function succeeds in one half of these calls and fails in the other half.
std::vector<std::string> check(const Function& function, const FunctionList& list);

/// Checks that the name of a function without a signature denotes the same wrapper in another list, and returns the errors.
std::vector<std::string> check_same(const Function& function, const FunctionList& list, const FunctionList& other);

}  // namespace cubind::testing
