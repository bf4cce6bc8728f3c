// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::system::detail {

/// Initializes NVML unless this process has done so with the library that is installed now. Throws Error if it fails; the next
/// call tries again. Any thread may call it.
void initialize();

}  // namespace CUBIND_NAMESPACE::system::detail
