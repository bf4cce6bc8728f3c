// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Returns the text of cudaGetErrorString for a status that the driver lacks, or null for every other status.
const char* runtime_text(cudaError_t error) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::cudart
