// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace cubind::gen::emit {

/// The maximum number of columns in a line of generated code. Lines that cannot be broken may be longer.
inline constexpr std::size_t max_columns = 130;

/// Breaks the lines of C++ text that have more than max_columns columns. Comments are broken between words, a function body on
/// one line becomes three lines, and other code is broken at the outermost operators and argument lists. Preprocessor lines
/// stay as they are.
std::string wrap_lines(const std::string& text);

}  // namespace cubind::gen::emit
