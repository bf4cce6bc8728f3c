// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cudss/solver.hpp>
#include <cubind/cudss/status.hpp>

#include <memory>
#include <string>
#include <type_traits>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<cudss::cudssStatus_t> {
    static constexpr const char* package = "nvidia-cudss-cu13";
    static constexpr cudss::cudssStatus_t out_of_memory = cudss::CUDSS_STATUS_ALLOC_FAILED;
    static std::string advice(cudss::cudssStatus_t status) {
        switch (status) {
            case cudss::CUDSS_STATUS_ALLOC_FAILED:
                return "Use hybrid_memory, which keeps factors in memory of the host.";
            case cudss::CUDSS_STATUS_NOT_SUPPORTED:
                return "cuDSS does not support this combination of options, types and layouts: use column-major order, and "
                       "default options.";
            case cudss::CUDSS_STATUS_INVALID_VALUE:
                return "Check that indices are within the matrix, and that those of a row ascend.";
            default:
                return {};
        }
    }
};

struct DestroyCudss {
    void operator()(::cudssContext* handle) const noexcept { report(cudss::cudssDestroy(handle), "cudssDestroy"); }
    void operator()(::cudssConfig* config) const noexcept { report(cudss::cudssConfigDestroy(config), "cudssConfigDestroy"); }
    void operator()(::cudssMatrix* matrix) const noexcept { report(cudss::cudssMatrixDestroy(matrix), "cudssMatrixDestroy"); }
};
template <class Handle>
using CudssObject = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyCudss>;

/// The factors, which are freed with the handle.
struct DestroyCudssData {
    ::cudssContext* handle;
    void operator()(::cudssData* data) const noexcept { report(cudss::cudssDataDestroy(handle, data), "cudssDataDestroy"); }
};
using CudssData = std::unique_ptr<::cudssData, DestroyCudssData>;

}  // namespace CUBIND_NAMESPACE::math::detail
