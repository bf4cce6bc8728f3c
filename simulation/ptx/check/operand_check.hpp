// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/decode/scope.hpp"
#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns why ptxas rejects an operand of an instruction, or an empty string. `spec` is the operand in Form::operands, `symbol`
/// what its name refers to in the function, or null. Kinds of operands that a form does not describe exactly are accepted.
std::string find_operand_problem(const Operand& operand, const Symbol* symbol, std::string_view spec, const Modifiers& modifiers);

/// Returns the part of Form::operands that describes the items of an operand, or an empty text if nothing does.
std::string_view spec_of_items(std::string_view spec) noexcept;

/// Returns whether an instruction may have this modifier. Modifiers of instructions that the simulation does not support are
/// known, too.
bool is_modifier(std::string_view modifier);

}  // namespace CUBIND_NAMESPACE::sim::ptx
