// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns an instruction as PTX writes it, with letters for its operands: "fma.rn.f32 d, a, b, c".
std::string instruction_text(const Form& form, const Modifiers& modifiers);
/// Returns the call of a function that the simulation provides.
std::string builtin_text(std::string_view function);

}  // namespace CUBIND_NAMESPACE::sim::ptx
