// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the content of a file. Throws LoadError with `reader` as the failed function if the file is missing,
/// unreadable, empty or not a regular file, and std::invalid_argument for a path with a NUL.
std::string read_whole_file(const std::string& path, const char* reader);

}  // namespace CUBIND_NAMESPACE::detail
