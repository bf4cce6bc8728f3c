// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns the value of CUBIND_LAYERS; null if it is not set. The layers call this function before main(). If they have not
/// called it when the first function is looked up, the loader reports that CUBIND_LAYERS has no effect.
CUBIND_EXPORT const char* take_layers_request() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
