// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cublas/helpers.hpp>
#include <cubind/cublas/status.hpp>
#include <cubind/cusolver/decomposition.hpp>
#include <cubind/cusolver/management.hpp>
#include <cubind/cusolver/status.hpp>

#include <string>

#include "plan/checked.hpp"
#include "plan/handle_pool.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<cusolver::cusolverStatus_t> {
    static constexpr const char* package = "nvidia-cusolver";
    static constexpr cusolver::cusolverStatus_t out_of_memory = cusolver::CUSOLVER_STATUS_ALLOC_FAILED;
    static std::string advice(cusolver::cusolverStatus_t status);
};

namespace solver {

/// Checks a call of cuBLAS, whose matrices a solver has made, so that no values are of use in the message.
template <class What>
void check_blas(const Result<cublas::cublasStatus_t>& result, const What& what) {
    if (result.ok()) [[likely]]
        return;
    const cublas::cublasStatus_t status = result.status;
    throw_failed_call({library_name(status), static_cast<int>(status), to_string(status), describe(status),
                       status == cublas::CUBLAS_STATUS_ALLOC_FAILED, "nvidia-cublas"},
                      what(), "");
}

/// What calls of solvers need for a stream.
struct SolverHandles {
    cusolver::cusolverDnHandle_t solver = nullptr;
    cusolver::cusolverDnParams_t params = nullptr;
    cublas::cublasHandle_t blas = nullptr;  // created by its first use

    /// Returns the handle of cuBLAS for this stream, whose context must be current.
    cublas::cublasHandle_t blas_for(driver::CUstream stream);
};

/// For PooledHandle.
struct SolverLibrary {
    using Handle = SolverHandles*;
    static Handle create(driver::CUstream stream);
    static void destroy(Handle handle) noexcept;
};

}  // namespace solver
}  // namespace CUBIND_NAMESPACE::math::detail
