// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "clang/cursor.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::extract {

// Both functions return nothing for any other declaration, and for reserved names. The entry gets the name of the header and the
// release.

/// Returns the constant that `const TYPE NAME = VALUE;` in a header defines, if its value is an integer or an enumerator.
std::optional<spec::Constant> constant_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release);

/// Returns the constant that `extern const TYPE NAME;` in a header declares. Arrays are left out, because a function cannot
/// return them by value. So are variables that programs may change: reading them is no constant, and writing them needs rules of
/// the library.
std::optional<spec::Variable> exported_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release);

}  // namespace cubind::gen::extract
