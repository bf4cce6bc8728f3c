// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "state/call.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Calls `function`, which returns a CUresult, with the driver's function in the thread's context for a host function or a
/// handle.
template <class Call>
cudaError_t with_function(const void* host_function, Call&& function) {
    CUfunction in_context = nullptr;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_function(host_function, in_context)) return status;
    return status_of(function(in_context));
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
