// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument, which names `feature` and both releases, if the driver is older than the release: 12040 is
/// CUDA 12.4 (cuDriverGetVersion).
void require_release(const char* feature, int release);

}  // namespace CUBIND_NAMESPACE::detail
