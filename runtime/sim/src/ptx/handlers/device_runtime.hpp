// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "ptx/handlers/builtins.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the functions of the runtime for device code, which programs link from a library.
std::span<const Builtin> device_runtime_builtins() noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
