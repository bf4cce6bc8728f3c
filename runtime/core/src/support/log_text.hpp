// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns a compiler's or linker's log without the trailing NULs, newlines and spaces.
std::string trim_log(std::string log);

/// Returns the first line of the log that contains "error" or "ERROR", or else the first line.
std::string first_error(const std::string& log);

}  // namespace CUBIND_NAMESPACE::detail
