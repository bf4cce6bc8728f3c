// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/function_check.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

FunctionCheck::FunctionCheck(CUfunction handle, bool may_be_kernel) : status(check_initialized()), is_null(handle == nullptr) {
    const auto kernel = find(handle);
    if (kernel == nullptr || !may_be_kernel) return;
    const CurrentCheck context;
    status = context.status;
    if (!context.failed()) status = function_in(machine().code, machine().contexts.find(context->handle), *kernel, function);
}

FunctionCheck::FunctionCheck(CUfunction handle, const std::shared_ptr<Context>& context)
    : status(check_initialized()), is_null(handle == nullptr) {
    const auto kernel = find(handle);
    if (kernel == nullptr) return;
    status = context->device.fault();
    if (status == CUDA_SUCCESS) status = function_in(machine().code, context, *kernel, function);
}

// Looks up the function. If the handle is a kernel's instead, returns the kernel and sets the status to
// CUDA_ERROR_INVALID_HANDLE.
std::shared_ptr<LibraryKernel> FunctionCheck::find(CUfunction handle) {
    if (status != CUDA_SUCCESS) return nullptr;
    function = machine().code.functions.find(handle);
    status = function != nullptr ? function->context->device.fault() : CUDA_ERROR_INVALID_HANDLE;
    return function != nullptr ? nullptr : machine().code.kernels.find(reinterpret_cast<CUkernel>(handle));
}

}  // namespace CUBIND_NAMESPACE::sim
