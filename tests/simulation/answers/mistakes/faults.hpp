// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mistakes/groups.hpp"

namespace answers {

/// Launches a kernel with one parameter in the current context, and asks which calls return its fault.
void ask_about_launch(const char* kernel, CUdeviceptr parameter);

}  // namespace answers
