// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/image.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the reason why a device of a compute capability (10 * major + minor) cannot run an image. Returns an empty
/// string if it can.
std::string find_target_problem(const Image& image, int capability);

}  // namespace CUBIND_NAMESPACE::sim::ptx
