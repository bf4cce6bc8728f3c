// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "clang/cursor.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// Returns the constant that `const TYPE NAME = VALUE;` in a header defines, if its value is an integer or an enumerator. Returns
/// nothing for any other declaration, and for reserved names. The constant gets the name of the header and the release.
std::optional<spec::Constant> constant_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release);

}  // namespace cubind::gen::extract
