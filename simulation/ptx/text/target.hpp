// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Checks whether a device of a compute capability (10 * major + minor) runs code for a target. `variant` is 'a' for code of this
/// capability only, 'f' for code of its family, and 0 for code of this and later capabilities.
bool can_run(int target, char variant, int capability) noexcept;

/// Returns the reason why a device of a compute capability (10 * major + minor) cannot run an image. Returns an empty
/// string if it can.
std::string find_target_problem(const ModuleInterface& image, int capability);

}  // namespace CUBIND_NAMESPACE::sim::ptx
