// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/text/declaration.hpp"
#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Reads the statements of a function from '{' to the '}' that closes it. Unknown opcodes and modifiers are no errors. `name` is
/// the name of the function, for messages.
std::vector<Statement> read_statements(Cursor& cursor, std::string_view name);

/// Reads the parameters of a function in parentheses. Returns none if there are no parentheses.
std::vector<LocalVariable> read_function_parameters(Cursor& cursor);

}  // namespace CUBIND_NAMESPACE::sim::ptx
