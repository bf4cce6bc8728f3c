// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/handlers/control/builtins.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the functions of the device runtime, which programs link from libcudadevrt.a.
std::span<const Builtin> device_runtime_builtins() noexcept;
/// Returns the functions of that library for the group of all threads of a grid.
std::span<const Builtin> grid_group_builtins() noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
