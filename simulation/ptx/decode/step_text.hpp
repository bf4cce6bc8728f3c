// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/decode/step.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the instruction of a step, or the special register that it reads. The text is empty if the step has been added by a
/// pass, or cannot run.
std::string instruction_text(const Step& step);

}  // namespace CUBIND_NAMESPACE::sim::ptx
