// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ptx/code/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

struct Step;

/// Returns an instruction as PTX writes it, with letters for its operands: "fma.rn.f32 d, a, b, c".
std::string instruction_text(const Form& form, const Modifiers& modifiers);
/// Returns the instruction of a step, or the special register that it reads. The text is empty if the step has been added by a
/// pass, or cannot run.
std::string instruction_text(const Step& step);
/// Returns the call of a function that the simulation provides.
std::string builtin_text(std::string_view function);

}  // namespace CUBIND_NAMESPACE::sim::ptx
