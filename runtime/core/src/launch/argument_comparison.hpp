// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>

#include "launch/kernel_state.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns the state of a kernel. Throws std::invalid_argument for a kernel that was moved from or a view of a null handle.
KernelState& launchable(const Kernel& kernel);

/// Compares the number and the types of arguments (types_of) with the kernel's parameters, which are read in the context. Throws
/// std::invalid_argument if they differ.
void compare_arguments(ContextRef context, KernelState& state, const unsigned int* types);

}  // namespace CUBIND_NAMESPACE::detail
