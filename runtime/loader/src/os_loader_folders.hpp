// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the absolute folders that the OS loader searches for the main program: LD_LIBRARY_PATH, run path and system folders.
/// The list lacks folders that only ld.so's cache adds, so it is used for diagnostics only.
std::vector<std::string> os_loader_folders();

}  // namespace CUBIND_NAMESPACE::detail
