// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/status.hpp"

#include <cubind/runtime/strings.hpp>

#include <cstring>

namespace CUBIND_NAMESPACE::sim::cudart {

cudaError_t status_of(CUresult status) noexcept {
    if (status == CUDA_SUCCESS) return cudaSuccess;
    const auto same_number = static_cast<cudaError_t>(status);
    return std::strncmp(to_string(same_number), "unrecognized", 12) != 0 ? same_number : cudaErrorUnknown;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
