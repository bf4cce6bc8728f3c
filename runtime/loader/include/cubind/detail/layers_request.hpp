// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns the value of CUBIND_LAYERS, or null, and takes over the variable. If nothing has called this before the first function
/// is looked up, the loader reports that CUBIND_LAYERS has no effect. Layers call it before main().
CUBIND_EXPORT const char* take_layers_request() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
