// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// Returns a text of a program or a file for a message: control characters, which a terminal could obey, become \\x1b and the
/// like, and so does each byte that is no part of a valid character of UTF-8.
std::string escaped(std::string_view text);

}  // namespace CUBIND_NAMESPACE::sim
