// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "blas/cublas_status.hpp"

namespace CUBIND_NAMESPACE::math::detail {

std::string StatusTraits<cublas::cublasStatus_t>::advice(cublas::cublasStatus_t status) {
    switch (status) {
        case cublas::CUBLAS_STATUS_NOT_INITIALIZED:
            return "The library could not use the device: check its free memory, and that the driver is not older than the "
                   "library.";
        case cublas::CUBLAS_STATUS_ALLOC_FAILED:
            return "Free memory of the device, or lower the limit of the workspace.";
        case cublas::CUBLAS_STATUS_ARCH_MISMATCH:
            return "The device does not have this operation: use other types of elements.";
        case cublas::CUBLAS_STATUS_NOT_SUPPORTED:
            return "The library does not have this combination of types, strides and options for the device.";
        case cublas::CUBLAS_STATUS_EXECUTION_FAILED:
            return "Earlier work on the device may have failed: run the program with compute-sanitizer.";
        default:
            return {};
    }
}

}  // namespace CUBIND_NAMESPACE::math::detail
