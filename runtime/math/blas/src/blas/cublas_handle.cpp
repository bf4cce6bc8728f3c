// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "blas/cublas_handle.hpp"

#include <cubind/cublas/helpers.hpp>

#include <string>

#include "blas/cublas_status.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::math::detail {

CublasLibrary::Handle CublasLibrary::create(driver::CUstream stream) {
    const cubind::detail::RelaxedCaptureMode mode;  // the library allocates memory outside of streams
    const auto what = [] { return std::string("A handle of cuBLAS was not created."); };
    const Handle handle = checked(cublas::cublasCreate_v2(), what);
    try {
        checked(cublas::cublasSetStream_v2(handle, stream), what);
    } catch (...) {
        destroy(handle);
        throw;
    }
    return handle;
}

void CublasLibrary::destroy(Handle handle) noexcept {
    report(cublas::cublasDestroy_v2(handle), "cublasDestroy");
}

}  // namespace CUBIND_NAMESPACE::math::detail
