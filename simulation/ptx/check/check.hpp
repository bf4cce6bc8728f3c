// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Whether functions that a module declares may be missing.
enum class Externals { must_exist, may_be_missing };

/// Returns the first reason why a driver rejects the text of a module that read() accepts, with its line: names that are not
/// declared or declared twice, unknown instructions, instructions that are newer than the version or the target of the text,
/// calls with the wrong number of arguments, and memory beyond the limits. Returns an empty string if there is none. Does not
/// compare the types of operands with those of instructions.
std::string find_mistake(const ModuleInterface& image, Externals externals);

}  // namespace CUBIND_NAMESPACE::sim::ptx
