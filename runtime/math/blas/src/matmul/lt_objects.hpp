// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cublaslt/matrix_multiplication.hpp>

#include <memory>

#include "blas/cublas_status.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "plan/handle_pool.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// How handles of cuBLASLt are created, for PooledHandle. They serve all streams of a context: take them with a null stream.
struct CublasLtLibrary {
    using Handle = cublaslt::cublasLtHandle_t;
    static Handle create(driver::CUstream) {
        const cubind::detail::RelaxedCaptureMode mode;  // the library allocates memory outside of streams
        return checked(cublaslt::cublasLtCreate(), [] { return std::string("A handle of cuBLASLt was not created."); });
    }
    static void destroy(Handle handle) noexcept { report(cublaslt::cublasLtDestroy(handle), "cublasLtDestroy"); }
};

/// Destroys descriptions, which are objects in memory of the host.
struct DestroyLtObject {
    void operator()(cublaslt::cublasLtMatmulDesc_t object) const noexcept {
        report(cublaslt::cublasLtMatmulDescDestroy(object), "cublasLtMatmulDescDestroy");
    }
    void operator()(cublaslt::cublasLtMatrixLayout_t object) const noexcept {
        report(cublaslt::cublasLtMatrixLayoutDestroy(object), "cublasLtMatrixLayoutDestroy");
    }
    void operator()(cublaslt::cublasLtMatmulPreference_t object) const noexcept {
        report(cublaslt::cublasLtMatmulPreferenceDestroy(object), "cublasLtMatmulPreferenceDestroy");
    }
};
using LtOperation = std::unique_ptr<cublaslt::cublasLtMatmulDescOpaque_t, DestroyLtObject>;
using LtLayout = std::unique_ptr<cublaslt::cublasLtMatrixLayoutOpaque_t, DestroyLtObject>;
using LtPreference = std::unique_ptr<cublaslt::cublasLtMatmulPreferenceOpaque_t, DestroyLtObject>;

}  // namespace CUBIND_NAMESPACE::math::detail
