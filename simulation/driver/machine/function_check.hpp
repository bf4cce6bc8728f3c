// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A function, found by its handle.
struct FunctionCheck {
    /// Finds a function. If `may_be_kernel`, also accepts a CUkernel, which refers to the kernel's function in the current
    /// context.
    explicit FunctionCheck(driver::CUfunction handle, bool may_be_kernel = false);
    /// Finds a function. Also accepts a CUkernel, which refers to the kernel's function in this context.
    FunctionCheck(driver::CUfunction handle, const std::shared_ptr<Context>& context);
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    Function* operator->() const noexcept { return function.get(); }
    /// Returns the status of a failed check for functions that report a null handle as CUDA_ERROR_INVALID_VALUE.
    driver::CUresult value_status() const noexcept {
        return is_null && status == driver::CUDA_ERROR_INVALID_HANDLE ? driver::CUDA_ERROR_INVALID_VALUE : status;
    }

    driver::CUresult status;
    bool is_null;
    std::shared_ptr<Function> function;

private:
    std::shared_ptr<LibraryKernel> find(driver::CUfunction handle);
};

/// A kernel of a library, found by its handle. Requires no context.
struct KernelCheck {
    explicit KernelCheck(driver::CUkernel handle) : status(check_initialized()), is_null(handle == nullptr) {
        if (status != driver::CUDA_SUCCESS) return;
        kernel = machine().code.kernels.find(handle);
        if (kernel == nullptr) status = driver::CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    LibraryKernel* operator->() const noexcept { return kernel.get(); }
    /// Returns the status of a failed check for functions that report a null handle as CUDA_ERROR_INVALID_VALUE.
    driver::CUresult value_status() const noexcept {
        return is_null && status == driver::CUDA_ERROR_INVALID_HANDLE ? driver::CUDA_ERROR_INVALID_VALUE : status;
    }
    /// Returns the view of the kernel on a device. The check must have succeeded.
    KernelView view_on(const Device& device) const {
        return {*kernel->image, kernel->kernel, device, *kernel->settings[static_cast<std::size_t>(device.ordinal)]};
    }

    driver::CUresult status;
    bool is_null;
    std::shared_ptr<LibraryKernel> kernel;
};

}  // namespace CUBIND_NAMESPACE::sim
