// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "function.hpp"

namespace testing_conformance {

/// How a function is tried.
struct Trial {
    bool fails;           ///< the C function returns a status other than success
    bool passes_nothing;  ///< every argument is zero or null; otherwise they are random and all different
    unsigned int seed;
};

/// What is wrong with a wrapper: it is called with its entry point replaced by a C function that records the call. Empty when all
/// is right.
std::vector<std::string> check(const Function& function, cubind::EntryPoint& entry, const Trial& trial);

/// The same for as many trials as find every mistake, each named with the function; and that the wrapper has that entry point.
std::vector<std::string> check(const Function& function, const FunctionList& list);

/// For a function without a signature: that its name means what it means in another list.
std::vector<std::string> check_same(const Function& function, const FunctionList& list, const FunctionList& other);

}  // namespace testing_conformance
