// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// An execution context is a green context of the driver, or a primary context.
inline CUgreenCtx green_context_of(cudaExecutionContext_t context) noexcept {
    return reinterpret_cast<CUgreenCtx>(context);
}

/// Returns the driver's context of an execution context.
inline CUcontext context_of(cudaExecutionContext_t context) noexcept {
    CUcontext of_green = nullptr;
    const bool is_green = context != nullptr && cuCtxFromGreenCtx(&of_green, green_context_of(context)) == CUDA_SUCCESS;
    return is_green ? of_green : reinterpret_cast<CUcontext>(context);
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
