// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ptx/check/check.hpp"
#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// A module to link.
struct LinkInput {
    std::string name;  ///< for messages
    std::shared_ptr<const ModuleInterface> image;
};

/// The result of a link: PTX, or the reasons why the link failed, one in each line.
struct LinkResult {
    std::string problem;
    std::string text;
};

/// Returns the line of PTX that marks a module as linked with libcudadevrt.a.
std::string device_runtime_line();

/// Joins modules to one, as a linker of machine code does: a symbol with linkage is the same in all modules, and names without
/// linkage stay different. Fails for symbols that are used but not defined, or defined more than once. Drops debug sections;
/// lines of the source stay. If `has_device_runtime`, functions of the device runtime are defined, and the result has
/// device_runtime_line(). Functions without a definition stay declared if they may be missing.
LinkResult link(const std::vector<LinkInput>& inputs, bool has_device_runtime = false,
                Externals externals = Externals::must_exist);

}  // namespace CUBIND_NAMESPACE::sim::ptx
