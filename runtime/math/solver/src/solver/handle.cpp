// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/handle.hpp"

#include <memory>

#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace solver {
namespace {

/// Destroys what a failed creation leaves.
struct DestroySolverHandles {
    void operator()(SolverHandles* handles) const noexcept { SolverLibrary::destroy(handles); }
};

constexpr auto creating = [] { return std::string("The handle of a stream for solvers could not be created."); };

}  // namespace

}  // namespace solver

std::string StatusTraits<cusolver::cusolverStatus_t>::advice(cusolver::cusolverStatus_t status) {
    switch (status) {
        case cusolver::CUSOLVER_STATUS_INTERNAL_ERROR:
            return "If the stream is captured, submit this operation before the capture: it may have waited for a result. "
                   "Otherwise, "
                   "earlier work of the context may have failed: Stream::synchronize() reports it.";
        case cusolver::CUSOLVER_STATUS_ALLOC_FAILED:
            return "Free memory of the device: cuSOLVER allocates some of its own.";
        case cusolver::CUSOLVER_STATUS_NOT_SUPPORTED:
            return "This release of cuSOLVER does not support these operands.";
        default:
            return "";
    }
}

namespace solver {

cublas::cublasHandle_t SolverHandles::blas_for(driver::CUstream stream) {
    if (blas != nullptr) [[likely]]
        return blas;
    const cubind::detail::RelaxedCaptureMode mode;  // the creation allocates
    const auto created = cublas::cublasCreate_v2();
    check_blas(Result<cublas::cublasStatus_t>{created.status}, creating);
    const auto with_stream = cublas::cublasSetStream_v2(created.value, stream);
    if (!with_stream.ok()) (void)cublas::cublasDestroy_v2(created.value);
    check_blas(with_stream, creating);
    return blas = created.value;
}

SolverHandles* SolverLibrary::create(driver::CUstream stream) {
    const cubind::detail::RelaxedCaptureMode mode;  // the creation allocates
    std::unique_ptr<SolverHandles, DestroySolverHandles> handles(new SolverHandles);
    handles->solver = checked(cusolver::cusolverDnCreate(), creating);
    checked(cusolver::cusolverDnSetStream(handles->solver, stream), creating);
    handles->params = checked(cusolver::cusolverDnCreateParams(), creating);
    return handles.release();
}

void SolverLibrary::destroy(SolverHandles* handles) noexcept {
    if (handles->params != nullptr) report(cusolver::cusolverDnDestroyParams(handles->params), "destroy parameters of cuSOLVER");
    if (handles->solver != nullptr) report(cusolver::cusolverDnDestroy(handles->solver), "destroy a handle of cuSOLVER");
    if (handles->blas != nullptr) {
        const auto destroyed = cublas::cublasDestroy_v2(handles->blas);
        if (!destroyed.ok()) report_failed_release("destroy a handle of cuBLAS", to_string(destroyed.status));
    }
    delete handles;
}

}  // namespace solver
}  // namespace CUBIND_NAMESPACE::math::detail
