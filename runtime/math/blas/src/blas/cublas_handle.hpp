// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cublas/types.hpp>

#include "plan/handle_pool.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// How handles of cuBLAS are created, for PooledHandle. A handle has a workspace of its own, some MiB, which only work of its
/// stream uses. In a capture, cuBLAS does not use it: the graph allocates and frees memory by nodes of its own.
struct CublasLibrary {
    using Handle = cublas::cublasHandle_t;
    static Handle create(driver::CUstream stream);
    static void destroy(Handle handle) noexcept;
};

}  // namespace CUBIND_NAMESPACE::math::detail
