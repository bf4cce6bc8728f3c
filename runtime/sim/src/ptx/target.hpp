// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/image.hpp"

namespace cubind::sim::ptx {

/// Why a device of a compute capability, 10 * major + minor, cannot run an image; empty if it can.
std::string why_not_on(const Image& image, int capability);

}  // namespace cubind::sim::ptx
