// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Returns the status of the runtime library for one of the driver. Most have equal numbers. Statuses that the runtime library
/// lacks become cudaErrorUnknown.
cudaError_t status_of(CUresult status) noexcept;

/// Returns `instead` for the driver's CUDA_ERROR_INVALID_VALUE, and status_of() for every other status.
inline cudaError_t status_of(CUresult status, cudaError_t instead) noexcept {
    return status == CUDA_ERROR_INVALID_VALUE ? instead : status_of(status);
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
