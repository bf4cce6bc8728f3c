// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cublas/status.hpp>

#include <string>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// cuBLAS and cuBLASLt have one type of status, and are in one package.
template <>
struct StatusTraits<cublas::cublasStatus_t> {
    static constexpr const char* package = "nvidia-cublas";
    static constexpr cublas::cublasStatus_t out_of_memory = cublas::CUBLAS_STATUS_ALLOC_FAILED;
    static std::string advice(cublas::cublasStatus_t status);
};

}  // namespace CUBIND_NAMESPACE::math::detail
