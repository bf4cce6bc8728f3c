// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel/find.hpp"

namespace cubind::sim {

FunctionCheck::FunctionCheck(CUfunction handle, bool may_be_kernel) : status(check_initialized()) {
    if (status != CUDA_SUCCESS) return;
    function = machine().functions.find(handle);
    if (function != nullptr) {
        status = function->context->device.fault();
        return;
    }
    status = CUDA_ERROR_INVALID_HANDLE;
    if (!may_be_kernel) return;
    const auto kernel = machine().kernels.find(reinterpret_cast<CUkernel>(handle));
    if (kernel == nullptr) return;
    const CurrentCheck context;
    status = context.status;
    if (!context.failed()) status = function_in(machine().contexts.find(context->handle), *kernel, function);
}

}  // namespace cubind::sim
