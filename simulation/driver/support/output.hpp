// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Writes a value to an output parameter. Returns CUDA_ERROR_INVALID_VALUE if `out` is null.
template <class Value>
driver::CUresult write_output(Value* out, const Value& value) {
    if (out == nullptr) return driver::CUDA_ERROR_INVALID_VALUE;
    *out = value;
    return driver::CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
