// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Returns the path of the program or library that called this one: of the innermost function on the stack of the thread that is
/// not in the file of the simulation. Returns null if there is none, as in a program that contains the simulation. The text
/// exists as long as the library is loaded.
const char* file_of_caller() noexcept;

}  // namespace CUBIND_NAMESPACE::sim
