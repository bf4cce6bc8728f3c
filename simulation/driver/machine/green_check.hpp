// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A green context, found by its handle. It must be alive, and its device without a fault. A handle is known until the primary
/// context ends.
struct GreenCheck {
    explicit GreenCheck(driver::CUgreenCtx handle) : status(check_initialized()) {
        if (status != driver::CUDA_SUCCESS) return;
        green = machine().green_contexts.find(handle);
        if (green == nullptr) {
            status = driver::CUDA_ERROR_INVALID_CONTEXT;
        } else {
            status = green->is_alive() ? green->context->device.fault() : driver::CUDA_ERROR_CONTEXT_IS_DESTROYED;
        }
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    GreenContext* operator->() const noexcept { return green.get(); }

    driver::CUresult status;
    std::shared_ptr<GreenContext> green;
};

}  // namespace CUBIND_NAMESPACE::sim
